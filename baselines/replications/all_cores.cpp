// The fair CPU contender: the reference's replications dealt to every core.

#include "harness/bench/make_variant.hpp"
#include "reference_cpu/replications/cpu_case.hpp"

namespace lockstep::replications::cpu {

void add_all_cores(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::cpu::make_variant(
        "all_cores", bench::Role::contender, "sequential", "replications dealt to every core of the CPU",
        [](bench::Problem const& problem) { return make_cpu_case(job_of(problem), 0); }));
}

}  // namespace lockstep::replications::cpu
