// The CPU contender on one core.

#include "common/term_rewriting/workload.hpp"
#include "harness/bench/make_variant.hpp"

namespace lockstep::term_rewriting::cpu {

void add_one_core(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::cpu::make_variant(
        "one_core", bench::Role::contender, "oracle", "generated C++ with decision trees, one core",
        [](bench::Problem const& problem) { return make_engine_case("one_core", problem); }));
}

}  // namespace lockstep::term_rewriting::cpu
