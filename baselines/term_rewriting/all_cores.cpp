// The CPU contender on every core.

#include "common/term_rewriting/workload.hpp"

namespace lockstep::term_rewriting::cpu {

void add_all_cores(bench::Experiment& experiment);

void add_all_cores(bench::Experiment& experiment) {
    bench::Variant variant;
    variant.name = "all_cores";
    variant.role = bench::Role::contender;
    variant.machine = bench::Machine::cpu;
    variant.reference = "oracle";
    variant.description = "generated C++ with decision trees, tasks on all cores";
    variant.make = [](bench::Problem const& problem) { return make_engine_case("all_cores", problem); };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::term_rewriting::cpu
