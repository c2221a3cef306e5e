#include "kernels/replications/team_choice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "harness/bench/error.hpp"

namespace lockstep::replications {

namespace {

constexpr unsigned schedulers = 4;  // per multiprocessor; each issues one instruction of one warp per cycle
constexpr unsigned max_lanes = 1u << 17;

// Costs of a model, in cycles of a scheduler:
//
//   item, jump, meet    computing an item, jumping to the lane's part of the stream, combining the lanes' results
//   again, again_items  cost of completing an item of a shared replication, relative to `item`, and the number of items
//                       of a run, at most, that have to be completed
//   item_alone          slowdown of an item in a warp that has a scheduler for itself; jump_alone: of a jump
//   crowd               slowdown factor when many warps share a scheduler
//   sharpness           how sharp the transition between the two slowdowns is
//   wait                time that the blocks of a team wait for each other: a constant, plus an amount per block of the
//                       team, plus an amount per block on the multiprocessor
//   drawn, drawn_items  additional cost of the first items of a run, relative to `item`, and their number
//   table               a block's table in shared memory
//
// Fitted to the times of an H200 (METHOD.md, "The choice of `auto`"). These are effective numbers: only the choice that
// follows from them matters.
struct Costs {
    double item, jump, meet, again, again_items, item_alone, jump_alone, crowd, sharpness, wait, wait_per_block,
        wait_per_neighbour, drawn, drawn_items, table;
};

constexpr double every_item = std::numeric_limits<double>::infinity();
constexpr Costs pi_costs = {53.5, 149, 180, 0, every_item, 1.37, 0.72, 1.01, 2.62, 1780, 30.4, 625, 0, 0, 0};
constexpr Costs mm1_costs = {48.1, 95.6, 109, 0.491, 256, 1.61, 0.212, 1.78, 2.38, 7450, 9.76, 500, 0, 0, 0};
constexpr Costs walk_costs = {5.27, 605,  78.5, 0.571, every_item, 4.41, 4.29, 1.86,
                              2.08, 3500, 53.9, 276,   2.8,        72,   910};
constexpr Costs long_walk_costs = {1.379, 432.9, 11.24, 2.607, every_item, 3.312, 13.61, 2.588,
                                   1.926, 1545,  57.69, 349.1, 0,          0,     407.2};
constexpr double walk_run_with_table = 24;  // steps of a lane
constexpr double walk_again_without_table = 3.08;
constexpr unsigned max_squares_of_pairs = 100;  // of a chunk, for the table of long_walk()

// The larger of the two, with a smooth transition where they are similar.
double larger(double alone, double warps, double sharpness) {
    double const max = std::max(alone, warps);
    return max * std::pow(1 + std::pow(std::min(alone, warps) / max, sharpness), 1 / sharpness);
}

// The branches that the lanes of a warp take one after another, on average.
double distinct_ways(double ways) { return ways * (1 - std::pow(1 - 1 / ways, 32)); }

// `item` grows with the instructions of a step.
Costs branches_costs(Point const& point) {
    double const item =
        34.42 + distinct_ways(std::max(1u, point.ways)) * (21.14 + 5.18 * point.rounds) + 40.0 * point.loads;
    return {item, 1211, 43.86, 0, every_item, 4.982, 1.84, 0.935, 1.0846, 2655, 5.589, 1182, 0, 0, 0};
}

unsigned items_of(Job const& job) {
    unsigned items = 0;
    for (Point const& point : job.points)
        items = std::max(items, point.items);
    return items;
}

double run_of(Job const& job, Team const& team) { return std::ceil(static_cast<double>(items_of(job)) / team.lanes); }

Costs costs_of(Job const& job, Team const& team) {
    if (job.model == Model::branches)
        return branches_costs(job.points.front());
    if (is_long_walk(job, team))
        return long_walk_costs;
    Costs costs = job.model == Model::pi ? pi_costs : job.model == Model::mm1 ? mm1_costs : walk_costs;
    if (job.model == Model::walk && run_of(job, team) < walk_run_with_table) {
        costs.again = walk_again_without_table;
        costs.table = 0;
    }
    if (job.engine == Engine::philox10) {
        // Ten rounds of multiplications per four words; a jump sets a counter.
        costs.item += job.model == Model::pi ? 20 : job.model == Model::mm1 ? 40 : 25;
        costs.jump = 100;
    }
    return costs;
}

// The warps of the scheduler that sets the pace. Customers take long enough that it is the one with most warps.
double warps_of(Job const& job, double warps_of_multiprocessor) {
    double const warps = warps_of_multiprocessor / schedulers;
    return job.model == Model::mm1 && warps > 1 ? std::ceil(warps) : warps;
}

// The part of a team's lanes that have steps. The warps of the others leave the schedulers alone, which shows where
// steps are long.
double busy_part(Job const& job, Team const& team) {
    if (job.model != Model::branches || items_of(job) == 0)
        return 1;
    return items_of(job) / (run_of(job, team) * team.lanes);
}

std::vector<unsigned> lanes_to_try(Job const& job, Team const& wanted) {
    if (wanted.lanes != 0)
        return {wanted.lanes};
    std::vector<unsigned> lanes;
    unsigned const max = std::min(max_lanes, std::bit_ceil(std::max(1u, items_of(job))));
    for (unsigned count = 1; count <= max; count *= 2)
        lanes.push_back(count);
    return lanes;
}

// If a team fits into a warp: small blocks, so that they spread over the multiprocessors, or blocks that share a table.
// Otherwise: the team in one block, or in several blocks that wait for one another.
std::vector<unsigned> blocks_to_try(Job const& job, Team const& wanted, unsigned lanes, unsigned multiprocessors) {
    if (wanted.block != 0)
        return {wanted.block};
    std::vector<unsigned> const sizes = {128, 256, 512, 1024};
    if (lanes <= 32 && job.model == Model::walk)
        return lanes == 1 ? sizes : std::vector<unsigned>{128};
    if (lanes <= 32 && job.model == Model::mm1)
        return {64};
    if (lanes <= 32)
        return {job.size() * lanes <= 64ull * multiprocessors ? 32u : 128u};
    std::vector<unsigned> blocks;
    for (unsigned const block : sizes) {
        if (block < lanes)
            blocks.push_back(block);
    }
    if (lanes <= 1024)
        blocks.push_back(lanes);
    return blocks;
}

void check(Team const& team) {
    if (team.lanes != 0 && (!std::has_single_bit(team.lanes) || team.lanes > max_team)) {
        throw bench::Error("a team of " + std::to_string(team.lanes) + " lanes does not fit",
                           "the size is a power of two up to 2^20", "Try 32.");
    }
    if (team.block != 0 && (!std::has_single_bit(team.block) || team.block < 32 || team.block > 1024)) {
        throw bench::Error("a block of " + std::to_string(team.block) + " threads does not fit a team",
                           "the size is a power of two from 32 to 1024", "Try 256.");
    }
}

}  // namespace

bool is_long_walk(Job const& job, Team const& team) {
    if (job.model != Model::walk || job.engine != Engine::taus88 || team.lanes <= 32 || job.points.empty() ||
        (team.lanes > team.block && team.block < 128) || run_of(job, team) < walk_run_with_table)
        return false;
    Point const& chunks = job.points.front();
    return chunks.chunk_width * chunks.chunk_height <= max_squares_of_pairs &&
           std::all_of(job.points.begin(), job.points.end(), [&](Point const& point) {
               return point.chunk_width == chunks.chunk_width && point.chunk_height == chunks.chunk_height;
           });
}

bool fits(Job const& job, Team const& team, unsigned multiprocessors) {
    if (team.lanes <= team.block || job.model == Model::pi || job.model == Model::branches)
        return true;
    // The kernel's launch bounds limit its registers, so 1024 of its threads fit on any multiprocessor.
    std::uint64_t const resident = std::uint64_t{multiprocessors} * std::min(32u, 1024 / team.block);
    return job.size() * (team.lanes / team.block) <= resident;
}

double estimated_cycles(Job const& job, Team const& team, unsigned multiprocessors) {
    double const run = run_of(job, team);
    Costs const costs = costs_of(job, team);
    double const completed = team.lanes > 1 ? costs.again * std::min(run, costs.again_items) : 0;
    double const drawn = costs.drawn * std::min(run, costs.drawn_items);
    double const item = costs.item * (run + completed + drawn);
    double const jump = team.lanes > 1 ? costs.jump + costs.meet * (1 + std::log2(team.lanes) / 5) : 0;
    double const blocks = std::ceil(static_cast<double>(job.size()) * team.lanes / team.block);
    double const neighbours = std::ceil(blocks / multiprocessors);
    double const warps = warps_of(job, neighbours * team.block / 32) * costs.crowd;
    double wait = 0;
    if (team.lanes > team.block) {
        wait = costs.wait + costs.wait_per_block * (static_cast<double>(team.lanes) / team.block) +
               costs.wait_per_neighbour * std::min(neighbours, 8.0);
    }
    return item * larger(costs.item_alone, warps * busy_part(job, team), costs.sharpness) +
           jump * larger(costs.jump_alone, warps, costs.sharpness) + wait + costs.table * neighbours;
}

Team best_team(Job const& job, Team const& wanted, unsigned multiprocessors) {
    check(wanted);
    Team best;
    double best_cycles = std::numeric_limits<double>::infinity();
    for (unsigned const lanes : lanes_to_try(job, wanted)) {
        for (unsigned const block : blocks_to_try(job, wanted, lanes, multiprocessors)) {
            Team const team = {lanes, block};
            if (!fits(job, team, multiprocessors))
                continue;
            double const cycles = estimated_cycles(job, team, multiprocessors);
            if (cycles < best_cycles) {
                best_cycles = cycles;
                best = team;
            }
        }
    }
    if (best.lanes == 0) {
        throw bench::Error("teams of " + std::to_string(wanted.lanes) + " lanes are too large for " +
                               std::to_string(job.size()) + " replications",
                           "their blocks wait for one another, and not all can be resident", "Use fewer lanes.");
    }
    return best;
}

}  // namespace lockstep::replications
