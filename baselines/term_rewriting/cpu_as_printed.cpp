// The baseline of the paper's ratios: its CPU rewriter as printed (Listing 2).

#include "common/term_rewriting/workload.hpp"
#include "harness/bench/make_variant.hpp"

namespace lockstep::term_rewriting::cpu {

void add_cpu_as_printed(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::cpu::make_variant(
        "cpu_as_printed", bench::Role::baseline, "oracle",
        "the paper's recursive CPU rewriter as printed, one core (Listings 2 and 5)",
        [](bench::Problem const& problem) { return make_engine_case("cpu_as_printed", problem); }));
}

}  // namespace lockstep::term_rewriting::cpu
