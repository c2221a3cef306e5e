// The fair CPU contender: the reference's replications dealt to every core.

#include "reference_cpu/replications/cpu_case.hpp"

namespace lockstep::replications::cpu {

void add_all_cores(bench::Experiment& experiment);

void add_all_cores(bench::Experiment& experiment) {
    bench::Variant variant;
    variant.name = "all_cores";
    variant.role = bench::Role::contender;
    variant.machine = bench::Machine::cpu;
    variant.reference = "sequential";
    variant.description = "replications dealt to every core of the CPU";
    variant.make = [](bench::Problem const& problem) { return make_cpu_case(job_of(problem), 0); };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::replications::cpu
