#include "kernels/replications/team_choice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "harness/bench/error.hpp"
#include "kernels/replications/team_costs.hpp"

namespace lockstep::replications {

namespace {

constexpr unsigned schedulers = 4;  // per multiprocessor; each issues one instruction of one warp per cycle
constexpr unsigned max_lanes = 1u << 17;

constexpr double l1_bytes = 180 * 1024;  // of a multiprocessor
constexpr double resident_blocks = 32;   // that a multiprocessor holds
constexpr int max_blocks_per_lanes = 2;  // that best_teams() returns

// A step of `branches`, to which what the last blocks take is in proportion: rough cycles of one warp.
constexpr double step_cycles = 40;         // apart from its branches and loads
constexpr double step_branch_cycles = 20;  // per branch that the warp takes
constexpr double step_round_cycles = 5;    // per round of such a branch
constexpr double step_load_cycles = 100;   // per word that it reads

unsigned items_of(Job const& job) {
    unsigned items = 0;
    for (Point const& point : job.points)
        items = std::max(items, point.items);
    return items;
}

double run_of(Job const& job, Team const& team) {
    return std::max(1.0, std::ceil(static_cast<double>(items_of(job)) / team.lanes));
}

// Philox: ten rounds of multiplications per four words, for each warp of a scheduler; a jump sets a counter.
void set_philox(Costs& costs, Model model) {
    double const words = model == Model::pi ? 20 : model == Model::mm1 ? 40 : 25;
    for (std::size_t i = 0; i < costs.item.cycles.size(); ++i)
        costs.item.cycles[i] += words * static_cast<double>(1u << i);
    costs.jump = {{100, 200, 400, 800, 1600}};
    costs.small_jump = {};
}

Costs costs_of(Job const& job, Team const& team) {
    if (is_long_walk(job, team))
        return long_walk_costs;
    Costs costs = job.model == Model::pi         ? pi_costs
                  : job.model == Model::mm1      ? mm1_costs
                  : job.model == Model::branches ? branches_costs
                                                 : walk_costs;
    if (job.engine == Engine::philox10)
        set_philox(costs, job.model);
    return costs;
}

// What the schedulers of the busiest multiprocessor have to do.
struct Load {
    double lanes;       // of the job
    double run;         // items of a lane
    bool in_warp;       // a team is at most a warp
    double warps;       // of a scheduler
    double working;     // of these, those that have items
    double neighbours;  // blocks of the multiprocessor
    double rounds;      // in which blocks begin after the resident ones
    double resident;    // warps of a scheduler at a time
};

Load load_of(Job const& job, Team const& team, Multiprocessors const& device, Costs const& costs) {
    Load load = {};
    load.lanes = static_cast<double>(job.size()) * team.lanes;
    load.run = run_of(job, team);
    load.in_warp = team.lanes <= 32;
    double const threads = load.in_warp ? team.block : std::min(team.block, team.lanes);
    double const blocks = std::ceil(load.lanes / threads);
    load.neighbours = std::ceil(blocks / device.count);
    // The slowest scheduler sets the pace, until there are so many warps that they even out.
    double const warps = load.neighbours * threads / 32 / schedulers;
    load.warps = warps > 16 ? warps : std::ceil(warps);
    load.working = load.warps;
    if (!load.in_warp) {
        double const with_items = std::ceil(std::ceil(items_of(job) / load.run) / 32);
        load.working = std::max(1.0, load.warps * with_items * 32 / team.lanes);
    }
    double const registers = (load.in_warp ? costs.resident_of_warps : costs.resident_of_blocks) * schedulers;
    double const resident = std::clamp(std::floor(registers * 32 / threads), 1.0, resident_blocks);
    load.rounds = std::max(0.0, blocks / (device.count * resident) - 1);
    load.resident = std::min(load.warps, resident * threads / 32 / schedulers);
    return load;
}

// The points run side by side, so the slowest sets the pace. Returns the largest cycles(point), 0 without points.
template <class Cycles>
double max_over_points(Job const& job, Cycles const& cycles) {
    double found = 0;
    for (Point const& point : job.points)
        found = std::max(found, cycles(point));
    return found;
}

// The branches that the lanes of a warp take one after another, on average.
double distinct_ways(Point const& point) {
    double const ways = std::max(1u, point.ways);
    return ways * (1 - std::pow(1 - 1 / ways, 32));
}

double branching(Point const& point, Load const& load, Costs const& costs) {
    double const distinct = distinct_ways(point);
    return (distinct - 1) * costs.branch(load.working) + distinct * point.rounds * costs.round(load.working) +
           point.loads * costs.load(load.working);
}

double step_of_branches(Point const& point) {
    return step_cycles + distinct_ways(point) * (step_branch_cycles + step_round_cycles * point.rounds) +
           step_load_cycles * point.loads;
}

// A difference in the work that a run finds dies out over the run, at a rate per customer that queueing theory tells
// (the relaxation of M/M/1). The larger the number of lanes, the longer the slowest one takes.
double completing(Point const& point, Load const& load, Costs const& costs) {
    double const utilisation = 65536.0 / std::max(1u, point.inverse_rate);
    double const sum = 1 + utilisation;
    double const rate = std::max(1e-6, -std::log(std::min(1.0, 4 * utilisation / (sum * sum))));
    double const kept = std::min<double>(load.run, kept_clients);
    double const typical = std::min(kept, std::log(std::min(load.lanes, 32.0)) / rate);
    double const slowest = std::min(load.run, std::max(1.0, std::log(load.lanes) - 1) / rate);
    double const bytes = std::min(load.warps, 16.0) * schedulers * 32 * 4 * kept;
    return kept * costs.kept(load.working) + typical * costs.again(load.working) +
           costs.again_tail * std::max(0.0, std::min<double>(slowest, kept_clients) - typical) +
           costs.again_late * std::max(0.0, slowest - kept_clients) +
           costs.kept_far * kept * load.warps * std::max(0.0, 1 - l1_bytes / bytes);
}

double walking(Load const& load, Costs const& costs, bool shared) {
    bool const table = load.run >= walk_run_with_table;
    double cycles = std::min<double>(load.run, drawn_steps) * costs.drawn(load.working) +
                    std::max(0.0, load.run - kept_steps) * costs.late(load.working) +
                    (table ? costs.table * load.neighbours : 0);
    if (shared)
        cycles += load.run * (table ? costs.again : costs.short_item)(load.working);
    return cycles;
}

// All items of a lane, with those that it computes again.
double items(Job const& job, Team const& team, Load const& load, Costs const& costs) {
    double cycles = load.run * (costs.item(load.working) + (load.in_warp ? costs.item_of_warp(load.working) : 0));
    double step = 1;
    if (job.model == Model::branches) {
        cycles += load.run * max_over_points(job, [&](Point const& point) { return branching(point, load, costs); });
        step = max_over_points(job, step_of_branches);
    }
    if (job.model == Model::mm1 && team.lanes > 1)
        cycles += max_over_points(job, [&](Point const& point) { return completing(point, load, costs); });
    if (job.model == Model::walk)
        cycles += walking(load, costs, team.lanes > 1);
    if (load.rounds > 0)
        cycles += load.run * step * (costs.last * load.resident + costs.last_alone);
    return cycles;
}

// What it takes to share replications: jumps and scans.
double sharing(Team const& team, Load const& load, Costs const& costs) {
    if (team.lanes == 1)
        return 0;
    double cycles = costs.jump(load.warps) + std::log2(team.lanes) * costs.scan(load.warps);
    if (team.lanes < 32)
        cycles += costs.small_jump(load.warps);
    if (team.lanes > team.block && team.lanes > max_single_jumps)
        cycles += costs.second_jump(load.warps);
    return cycles;
}

double waiting(Team const& team, Load const& load, Costs const& costs) {
    double cycles =
        load.in_warp ? 0 : costs.warp_of_block * std::min(team.block, team.lanes) / 32 + costs.block_wave * load.rounds;
    if (team.lanes > team.block) {
        double const blocks = static_cast<double>(team.lanes) / team.block;
        cycles += costs.wait + costs.wait_block * blocks + costs.wait_round * std::ceil(blocks / 32) +
                  costs.wait_neighbour * std::min(load.neighbours, 8.0) + costs.wait_wave * load.rounds;
    }
    return cycles;
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

// If a team fits into a warp: blocks of several teams, which share a table. Otherwise: the team in one block, or in
// several blocks that wait for one another.
std::vector<unsigned> blocks_to_try(Job const& job, Team const& wanted, unsigned lanes) {
    if (wanted.block != 0)
        return {wanted.block};
    if (lanes == 1 && job.model == Model::walk)
        return {128, 256, 512, 1024, 64};
    if (lanes <= 32 && job.model == Model::walk)
        return {128};
    if (lanes <= 32 && job.model == Model::mm1)
        return {64};
    if (lanes <= 32)
        return {64, 128, 256, 32};
    std::vector<unsigned> blocks;
    for (unsigned const block : {128u, 256u, 512u, 1024u}) {
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

struct EstimatedTeam {
    double cycles;
    Team team;
};

// All teams that fit, by rising estimate. Throws as best_team().
std::vector<EstimatedTeam> estimated_teams(Job const& job, Team const& wanted, Multiprocessors const& device) {
    check(wanted);
    std::vector<EstimatedTeam> estimates;
    for (unsigned const lanes : lanes_to_try(job, wanted)) {
        for (unsigned const block : blocks_to_try(job, wanted, lanes)) {
            if (Team const team = {lanes, block}; fits(job, team, device))
                estimates.push_back({estimated_cycles(job, team, device), team});
        }
    }
    if (estimates.empty()) {
        throw bench::Error("teams of " + std::to_string(wanted.lanes) + " lanes are too large for " +
                               std::to_string(job.size()) + " replications",
                           "their blocks wait for one another, and not all can be resident", "Use fewer lanes.");
    }
    std::stable_sort(estimates.begin(), estimates.end(),
                     [](EstimatedTeam const& a, EstimatedTeam const& b) { return a.cycles < b.cycles; });
    return estimates;
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

bool fits(Job const& job, Team const& team, Multiprocessors const& device) {
    if (team.lanes <= team.block || job.model == Model::pi || job.model == Model::branches)
        return true;
    // The kernel's launch bounds limit its registers, so 1024 of its threads fit on any multiprocessor.
    constexpr std::size_t reserved_bytes = 1024;  // of each block, by the driver
    std::size_t const bytes = (is_long_walk(job, team) ? tile_bytes_of_long_walk : tile_bytes) + reserved_bytes;
    std::uint64_t const resident =
        std::min({std::uint64_t{device.blocks}, std::uint64_t{1024 / team.block}, device.shared_bytes / bytes});
    return job.size() * (team.lanes / team.block) <= device.count * resident;
}

double estimated_cycles(Job const& job, Team const& team, Multiprocessors const& device) {
    Costs const costs = costs_of(job, team);
    Load const load = load_of(job, team, device, costs);
    return costs.launch + items(job, team, load, costs) + sharing(team, load, costs) + waiting(team, load, costs);
}

std::vector<Team> best_teams(Job const& job, Team const& wanted, Multiprocessors const& device, double within,
                             std::size_t at_most) {
    std::vector<EstimatedTeam> const estimates = estimated_teams(job, wanted, device);
    std::vector<Team> teams;
    for (auto const& [cycles, team] : estimates) {
        if (teams.size() == at_most || cycles > within * estimates.front().cycles)
            break;
        auto const same_lanes = [&](Team const& other) { return other.lanes == team.lanes; };
        if (std::count_if(teams.begin(), teams.end(), same_lanes) < max_blocks_per_lanes)
            teams.push_back(team);
    }
    return teams;
}

Team best_team(Job const& job, Team const& wanted, Multiprocessors const& device) {
    return estimated_teams(job, wanted, device).front().team;
}

}  // namespace lockstep::replications
