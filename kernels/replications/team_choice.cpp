#include "kernels/replications/team_choice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "harness/bench/error.hpp"

namespace lockstep::replications {

namespace {

constexpr unsigned schedulers = 4;         // a multiprocessor, each issuing an instruction of a warp a cycle
constexpr unsigned threads_a_block = 512;  // of teams of several blocks
constexpr unsigned most_lanes = 1u << 17;

// Of a model: instructions of an item, of finding the lane's place, of meeting the others; how often an item is computed
// where lanes share a replication; cycles between two instructions of a warp that is alone; how many of many warps'
// instructions a scheduler misses; cycles that blocks wait for one another. Fitted to an H200: the choice stays within a tenth of the best (README).
struct Costs {
    double item, jump, meet, passes, apart, crowd, wait;
};

constexpr Costs pi_costs = {34, 700, 60, 1, 3.5, 1, 6000};
constexpr Costs mm1_costs = {130, 700, 250, 1.8, 3.5, 1, 6000};
constexpr Costs walk_costs = {32, 700, 200, 1.8, 3.5, 1, 6000};

Costs costs_of(Job const& job) {
    Costs costs = job.model == Model::pi ? pi_costs : job.model == Model::mm1 ? mm1_costs : walk_costs;
    if (job.engine == Engine::philox10) {
        costs.item += job.model == Model::walk ? 25 : 40;  // ten rounds of multiplications for four words
        costs.jump = 100;                                  // a counter is set
    }
    return costs;
}

unsigned items_of(Job const& job) {
    unsigned items = 0;
    for (Point const& point : job.points) items = std::max(items, point.items);
    return items;
}

}  // namespace

bool fits(Job const& job, Team const& team, unsigned multiprocessors) {
    if (team.lanes <= team.block || job.model == Model::pi) return true;
    // 1024 threads find room on any multiprocessor: the kernel is bound to so few registers.
    std::uint64_t const resident = std::uint64_t{multiprocessors} * std::min(32u, 1024 / team.block);
    return job.size() * (team.lanes / team.block) <= resident;
}

double estimated_cycles(Job const& job, unsigned lanes, unsigned multiprocessors) {
    Costs const costs = costs_of(job);
    double const run = std::ceil(static_cast<double>(items_of(job)) / lanes);
    double work = costs.item * (lanes > 1 ? costs.passes : 1) * run;
    if (lanes > 1) work += costs.jump + costs.meet * (1 + std::log2(lanes) / 5);
    double const warps = std::ceil(static_cast<double>(job.size()) * lanes / 32);
    double const shared = std::ceil(warps / multiprocessors) / schedulers * costs.crowd;
    double const wait = lanes > 1024 ? costs.wait : 0;
    return work * std::max(costs.apart, shared) + wait;
}

unsigned best_lanes(Job const& job, unsigned multiprocessors) {
    unsigned best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (unsigned lanes = 1; lanes <= most_lanes && lanes <= std::bit_ceil(std::max(1u, items_of(job))); lanes *= 2) {
        if (lanes > 1024 && !fits(job, {lanes, threads_a_block}, multiprocessors)) break;
        double const cycles = estimated_cycles(job, lanes, multiprocessors);
        if (cycles < least) {
            least = cycles;
            best = lanes;
        }
    }
    return best;
}

Team completed(Team team, Job const& job, unsigned multiprocessors) {
    if (team.lanes == 0) team.lanes = best_lanes(job, multiprocessors);
    if (!std::has_single_bit(team.lanes) || team.lanes > (1u << 20)) {
        throw bench::Error("a team of " + std::to_string(team.lanes) + " lanes does not fit",
                           "a power of two up to 2^20", "Try 32.");
    }
    if (team.block == 0) {
        // Few threads: spread blocks over the multiprocessors. Many: whole blocks.
        std::uint64_t const threads = job.size() * team.lanes;
        team.block = team.lanes > 1024 ? threads_a_block : threads <= 64u * multiprocessors ? 32 : 128;
        if (team.lanes > 32 && team.lanes <= 1024) team.block = team.lanes;
    }
    if (!std::has_single_bit(team.block) || team.block < 32 || team.block > 1024) {
        throw bench::Error("a block of " + std::to_string(team.block) + " threads does not fit a team",
                           "a power of two from 32 to 1024", "Try 256.");
    }
    if (!fits(job, team, multiprocessors)) {
        throw bench::Error("teams of " + std::to_string(team.lanes) + " lanes are too large for " +
                               std::to_string(job.size()) + " replications",
                           "their blocks wait for one another, and not all find room", "Use fewer lanes.");
    }
    return team;
}

}  // namespace lockstep::replications
