// `auto`: cooperative replication with the team size that is estimated to be fastest for the model and the number of
// replications (team_choice.hpp). Where lanes cannot share a replication, a replication per lane, with few lanes per
// warp as long as schedulers have enough warps.

#include <algorithm>
#include <bit>

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"
#include "kernels/replications/multiprocessors.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

namespace {

// Lanes per warp if lanes cannot share replications. Every further lane adds branches that the others wait for, and
// takes a warp from the schedulers. Short branches leave gaps that about eight warps fill. In long ones a lane is as
// well off alone, until a few warps of all lanes fill the schedulers: then lanes that take the same branch share it.
unsigned lanes_for(Job const& job) {
    constexpr unsigned long_branch = 16;  // rounds
    constexpr std::uint64_t enough_warps = 8;
    constexpr std::uint64_t enough_replications = 85;
    std::uint64_t const schedulers = 4ull * multiprocessors();
    if (!job.points.empty() && job.points.front().rounds >= long_branch)
        return job.size() >= enough_replications * schedulers ? 32 : 1;
    return static_cast<unsigned>(
        std::bit_ceil(std::clamp<std::uint64_t>(job.size() / (enough_warps * schedulers), 1, 32)));
}

}  // namespace

std::unique_ptr<bench::Case> make_auto(Job const& job) {
    if (!why_not_shared(job.model).empty()) {
        unsigned const lanes = lanes_for(job);
        return make_lanes(job, lanes, lanes == 1 ? 128 : 32);
    }
    return make_cooperative(job, {});
}

void add_auto(bench::Experiment& experiment) {
    experiment.variants.push_back(
        job_variant("auto", bench::Role::ours,
                    "cooperative, with the estimated fastest team for the model and the number of replications",
                    [](Job const& job, bench::Axes const&) { return make_auto(job); }));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
