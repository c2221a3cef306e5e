// `auto`: cooperative replication with the team size that is estimated to be fastest for the model and the number of
// replications (team_choice.hpp). Where lanes cannot share a replication, a replication per lane, with few lanes per
// warp as long as there are warps to spare.

#include <algorithm>
#include <bit>

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"
#include "kernels/replications/multiprocessors.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

namespace {

// Lanes per warp if lanes cannot share replications: one, until each scheduler has `warps_per_scheduler` warps to
// switch between, then more.
unsigned lanes_for(Job const& job) {
    constexpr std::uint64_t warps_per_scheduler = 4;
    std::uint64_t const warps = warps_per_scheduler * 4 * multiprocessors();
    return static_cast<unsigned>(std::bit_ceil(std::clamp<std::uint64_t>(job.size() / warps, 1, 32)));
}

}  // namespace

std::unique_ptr<bench::Case> make_auto(Job const& job) {
    if (!why_not_shared(job.model).empty())
        return make_lanes(job, lanes_for(job), 32);
    return make_cooperative(job, {});
}

void add_auto(bench::Experiment& experiment) {
    experiment.variants.push_back(
        job_variant("auto", bench::Role::ours,
                    "cooperative, with the estimated fastest team for the model and the number of replications",
                    [](Job const& job, bench::Axes const&) { return make_auto(job); }));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
