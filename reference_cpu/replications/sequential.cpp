// The reference: one replication after the other on one CPU thread, with Boost.Random's taus88, as the paper's CPU
// curves.

#include "harness/bench/make_variant.hpp"
#include "reference_cpu/replications/cpu_case.hpp"
#include "reference_cpu/replications/models.hpp"

namespace lockstep::replications::cpu {

void add_sequential(bench::Experiment& experiment) {
    experiment.references.push_back({"sequential", [](bench::Problem const& problem, std::uint64_t unit) {
                                         Job job = job_of(problem);
                                         return run_replication(job, unit - problem.first_unit);
                                     }});
    experiment.variants.push_back(
        bench::cpu::make_variant("sequential", bench::Role::reference, "sequential",
                                 "one replication after the other on one CPU thread, Boost.Random (section 6)",
                                 [](bench::Problem const& problem) { return make_cpu_case(job_of(problem), 1); }));
}

}  // namespace lockstep::replications::cpu
