// `auto`: cooperative replication, with teams of the size that the model and the number of replications call for.

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

std::unique_ptr<bench::Case> make_auto(Job const& job) { return make_cooperative(job, {}); }

void add_auto(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant("auto", bench::Role::ours,
                                              "the cheapest way by model and number of replications",
                                              [](Job const& job, bench::Axes const&) { return make_auto(job); }));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
