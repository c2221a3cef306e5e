// `auto`: cooperative replication with the team size that is estimated to be fastest for the model and the number of
// replications (team_choice.hpp). Where lanes cannot share a replication, a replication per lane, with few lanes per
// warp as long as schedulers have enough warps. A job that runs many times tries a few teams that may be as fast.

#include <algorithm>
#include <bit>
#include <vector>

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"
#include "harness/bench/fastest_case.hpp"
#include "harness/simt/ceil_div.hpp"
#include "kernels/replications/multiprocessors.hpp"
#include "kernels/replications/team_choice.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

namespace {

// Lanes per warp if lanes cannot share replications. Every further lane adds branches that the others wait for, so
// there are as few as keep the schedulers busy: all warps that are resident at once if branches are short, and fewer if
// they have some rounds. In long branches one lane per warp is as fast, until a few warps of all lanes fill the
// schedulers: then lanes that take the same branch share it.
unsigned lanes_for(Job const& job) {
    constexpr unsigned short_branch = 8;  // rounds
    constexpr unsigned long_branch = 16;
    constexpr std::uint64_t resident_warps = 12;  // per scheduler
    constexpr std::uint64_t enough_warps = 8;
    constexpr std::uint64_t enough_replications = 85;
    std::uint64_t const schedulers = 4ull * multiprocessors().count;
    unsigned rounds = 0;
    for (Point const& point : job.points)
        rounds = std::max(rounds, point.rounds);
    if (rounds >= long_branch)
        return job.size() >= enough_replications * schedulers ? 32 : 1;
    std::uint64_t const wanted = rounds < short_branch ? simt::ceil_div(job.size(), resident_warps * schedulers)
                                                       : job.size() / (enough_warps * schedulers);
    return static_cast<unsigned>(std::bit_ceil(std::clamp<std::uint64_t>(wanted, 1, 32)));
}

// The expected number of lanes per warp, then twice as many and half as many.
std::vector<bench::CaseMaker> lane_candidates(Job const& job) {
    unsigned const expected = lanes_for(job);
    std::vector<bench::CaseMaker> candidates;
    for (unsigned const lanes : {expected, 2 * expected, expected / 2}) {
        if (lanes >= 1 && lanes <= 32)
            candidates.push_back([&job, lanes] { return make_lanes(job, lanes, 128); });
    }
    return candidates;
}

// METHOD.md, "The choice of `auto`", has the reason for the two numbers.
std::vector<bench::CaseMaker> team_candidates(Job const& job) {
    constexpr double within = 1.25;
    constexpr std::size_t at_most = 6;
    std::vector<bench::CaseMaker> candidates;
    for (Team const& team : best_teams(job, {}, multiprocessors(), within, at_most))
        candidates.push_back([&job, team] { return make_cooperative(job, team); });
    return candidates;
}

std::unique_ptr<bench::Case> make_auto(bench::Problem const& problem) {
    Job const job = job_of(problem);
    bool const is_shared = why_not_shared(job.model).empty();
    return bench::fastest_case(problem, simt::LOCKSTEP_MACHINE::machine,
                               is_shared ? team_candidates(job) : lane_candidates(job));
}

}  // namespace

void add_auto(bench::Experiment& experiment) {
    experiment.variants.push_back(
        bench::LOCKSTEP_MACHINE::make_variant("auto", bench::Role::ours, "sequential",
                                              "cooperative, with the team that is estimated to be fastest; if "
                                              "repeated, the fastest of up to six that are tried",
                                              make_auto));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
