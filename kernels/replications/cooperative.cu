// Cooperative replication as a variant; a team of one lane is a thread per replication without branches.

#include "kernels/replications/cooperative_case.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

std::unique_ptr<bench::Case> make_cooperative(Job const& job, Team const& team) {
    return with_model_and_engine(job.model, job.engine, [&]<class M, class E>() -> std::unique_ptr<bench::Case> {
        if constexpr (M::composes)
            return make_cooperative_case<M, E>(job, team);
        else
            throw bench::Error("lanes cannot share a replication", why_not_shared(job.model), "Use lanes.");
    });
}

namespace {

Team team_of(bench::Axes const& axes) { return {static_cast<unsigned>(axes.integer("lanes")), block_of(axes, 0)}; }

// Empty if the team exists; otherwise the error (a size is not a power of two, or not all blocks can be resident).
std::string unsupported_reason(bench::Axes const& axes) {
    Workload const workload = read_workload(axes);
    if (std::string const reason = why_not_shared(workload.model); !reason.empty())
        return reason;
    Job const job = {workload.model,  workload.engine, 0, 0, static_cast<std::uint64_t>(axes.integer("replications")),
                     {workload.point}};
    try {
        best_team(job, team_of(axes), multiprocessors());
    } catch (bench::Error const& error) {
        return error.what();
    }
    return "";
}

}  // namespace

void add_cooperative(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "cooperative", bench::Role::ours,
        "lanes of a warp, a block or several blocks share one replication by jumping ahead",
        [](Job const& job, bench::Axes const& axes) { return make_cooperative(job, team_of(axes)); },
        unsupported_reason));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
