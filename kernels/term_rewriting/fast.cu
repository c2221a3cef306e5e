// Innermost rewriting depth-first on every lane, work handed to lanes that have none: kernels/term_rewriting/fast/.
// What diverges: the lanes of a warp stand at different program counters. A rewrite is a few dozen instructions a lane,
// one or two nodes of 16 bytes read and about one made.

#include "harness/simt/launch.hpp"
#include "kernels/term_rewriting/fast/case.hpp"

namespace lockstep::term_rewriting::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

bench::Variant variant_of(char const* name, char const* description, bool chains) {
    bench::Variant variant;
    variant.name = name;
    variant.role = bench::Role::ours;
    variant.machine = machine;
    variant.reference = "oracle";
    variant.description = description;
    variant.make = [chains](bench::Problem const& problem) { return fast::make_case(machine, chains, problem); };
    if (machine == simt::Machine::emulator) {
        variant.unsupported_reason = [](bench::Axes const& axes) {
            bool const large = axes.integer("depth") > 8 || axes.integer("elements") > 60;
            return large ? std::string("the emulator takes turns with every lane: at most depth 8, 60 elements")
                         : std::string();
        };
    }
    return variant;
}

}  // namespace

void add_fast(bench::Experiment& experiment);

void add_fast(bench::Experiment& experiment) {
    experiment.variants.push_back(variant_of("fast", "each lane depth-first, work handed over", true));
    experiment.variants.push_back(
        variant_of("fast_each_rule", "the same, and every rewrite is a turn of its own: no chain is one step", false));
}

}  // namespace lockstep::term_rewriting::LOCKSTEP_MACHINE
