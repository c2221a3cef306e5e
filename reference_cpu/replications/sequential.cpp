// The reference: one replication after the other on one CPU thread, with Boost.Random's taus88, as the paper's CPU
// curves.

#include "reference_cpu/replications/cpu_case.hpp"
#include "reference_cpu/replications/models.hpp"

namespace lockstep::replications::cpu {

void add_sequential(bench::Experiment& experiment);

void add_sequential(bench::Experiment& experiment) {
    experiment.references.push_back({"sequential", [](bench::Problem const& problem, std::uint64_t unit) {
                                         Job job = job_of(problem);
                                         return run_replication(job, unit - problem.first_unit);
                                     }});
    bench::Variant variant;
    variant.name = "sequential";
    variant.role = bench::Role::reference;
    variant.machine = bench::Machine::cpu;
    variant.reference = "sequential";
    variant.description = "one replication after the other on one CPU thread, Boost.Random (section 6)";
    variant.make = [](bench::Problem const& problem) { return make_cpu_case(job_of(problem), 1); };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::replications::cpu
