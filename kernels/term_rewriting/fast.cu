// Innermost rewriting depth-first on every lane, work handed to lanes that have none: kernels/term_rewriting/fast/.
// What diverges: the lanes of a warp stand at different program counters. A rewrite is a few dozen instructions a lane,
// one or two nodes of 16 bytes read and about one made.

#include "kernels/term_rewriting/engine_variant.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"

namespace lockstep::term_rewriting::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

// `chains` as in Options.
bench::Variant variant_of(char const* name, char const* description, bool chains) {
    return engine_variant(name, bench::Role::ours, description, [chains](bench::Problem const& problem) {
        fast::Options options = fast::options_for(machine);
        options.chains = chains;
        jit::Device& device = jit::device_of(machine);
        auto const make = [&](System const& system) {
            return std::make_unique<fast::FastEngine>(system, device, options);
        };
        Limits limits;
        limits.memory = device.free_memory() / 10 * 8;
        return make_engine_case(make, limits, problem);
    });
}

}  // namespace

void add_fast(bench::Experiment& experiment) {
    experiment.variants.push_back(variant_of("fast", "each lane depth-first, work handed over", true));
    experiment.variants.push_back(
        variant_of("fast_each_rule", "the same, and every rewrite is a turn of its own: no chain is one step", false));
}

}  // namespace lockstep::term_rewriting::LOCKSTEP_MACHINE
