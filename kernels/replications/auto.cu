// `auto`: cooperative replication with the team size that is estimated to be fastest for the model and the number of
// replications (team_choice.hpp).

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

std::unique_ptr<bench::Case> make_auto(Job const& job) { return make_cooperative(job, {}); }

void add_auto(bench::Experiment& experiment) {
    experiment.variants.push_back(
        job_variant("auto", bench::Role::ours,
                    "cooperative, with the estimated fastest team for the model and the number of replications",
                    [](Job const& job, bench::Axes const&) { return make_auto(job); }));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
