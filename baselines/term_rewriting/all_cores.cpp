// The CPU contender on every core.

#include "common/term_rewriting/workload.hpp"
#include "harness/bench/make_variant.hpp"

namespace lockstep::term_rewriting::cpu {

void add_all_cores(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::cpu::make_variant(
        "all_cores", bench::Role::contender, "oracle", "generated C++ with decision trees, tasks on all cores",
        [](bench::Problem const& problem) { return make_engine_case("all_cores", problem); }));
}

}  // namespace lockstep::term_rewriting::cpu
