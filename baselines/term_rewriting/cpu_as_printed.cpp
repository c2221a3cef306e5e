// The baseline of the paper's ratios: its CPU rewriter as printed (Listing 2).

#include "common/term_rewriting/workload.hpp"

namespace lockstep::term_rewriting::cpu {

void add_cpu_as_printed(bench::Experiment& experiment);

void add_cpu_as_printed(bench::Experiment& experiment) {
    bench::Variant variant;
    variant.name = "cpu_as_printed";
    variant.role = bench::Role::baseline;
    variant.machine = bench::Machine::cpu;
    variant.reference = "oracle";
    variant.description = "the paper's recursive CPU rewriter as printed, one core (Listings 2 and 5)";
    variant.make = [](bench::Problem const& problem) { return make_engine_case("cpu_as_printed", problem); };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::term_rewriting::cpu
