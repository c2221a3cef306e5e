// The CPU contender on one core.

#include "common/term_rewriting/workload.hpp"

namespace lockstep::term_rewriting::cpu {

void add_one_core(bench::Experiment& experiment);

void add_one_core(bench::Experiment& experiment) {
    bench::Variant variant;
    variant.name = "one_core";
    variant.role = bench::Role::contender;
    variant.machine = bench::Machine::cpu;
    variant.reference = "oracle";
    variant.description = "generated C++ with decision trees, one core";
    variant.make = [](bench::Problem const& problem) { return make_engine_case("one_core", problem); };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::term_rewriting::cpu
