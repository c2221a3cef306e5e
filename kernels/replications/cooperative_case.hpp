#pragma once
// The host side of cooperative replication: chooses the team, computes the jumps, allocates the blocks' memory and
// launches the kernel. Include it in `.cu` files, after their kernels.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"
#include "kernels/replications/cooperative_block.hpp"
#include "kernels/replications/cooperative_warp.hpp"
#include "kernels/replications/long_walk.hpp"
#include "kernels/replications/multiprocessors.hpp"
#include "kernels/replications/team_choice.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

static_assert(Mm1::kept_groups * Mm1::group == kept_clients, "the cost model counts what lanes keep");
static_assert(Walk::items_for_table == walk_run_with_table, "the cost model counts runs with a table");
static_assert(Directions<random::LOCKSTEP_MACHINE::Taus88>::words_to_draw * steps_per_word == drawn_steps,
              "the cost model counts steps that are drawn");
static_assert(LongWalk::Kept::steps == kept_steps, "the cost model counts what lanes keep");
static_assert(LongWalk::max_squares == max_squares_of_pairs, "is_long_walk() knows the table's size");
static_assert(machine != simt::Machine::cuda ||
                  (sizeof(TeamTile<LongWalk>) <= tile_bytes_of_long_walk && sizeof(TeamTile<Mm1>) <= tile_bytes &&
                   sizeof(TeamTile<Walk>) <= tile_bytes),
              "fits() counts the blocks whose shared memory a multiprocessor has");

// How a team shares a replication, without the jumps, which TeamBuffers adds.
template <class JumpAhead>
TeamParameters<JumpAhead> team_parameters(Job const& job, Team const& team) {
    TeamParameters<JumpAhead> parameters;
    parameters.lanes = std::min(team.lanes, team.block);
    parameters.blocks = team.lanes / parameters.lanes;
    unsigned items = 0;
    for (Point const& point : job.points)
        items = std::max(items, point.items);
    parameters.run = (items + team.lanes - 1) / team.lanes;
    return parameters;
}

// The device memory of the teams: the jumps, and the memory through which blocks communicate.
template <class Model, class Engine>
class TeamBuffers {
public:
    using JumpAhead = typename Engine::JumpAhead;

    TeamBuffers(Job const& job, Team const& team)
        : parameters_(team_parameters<JumpAhead>(job, team)),
          jumps_(has_single_jumps(parameters_) ? parameters_.lanes * parameters_.blocks
                                               : parameters_.lanes + parameters_.blocks) {
        upload_jumps();
        make_memory(job);
    }

    TeamParameters<JumpAhead> const& parameters() const { return parameters_; }
    TeamMemory const& memory() const { return memory_; }

private:
    template <class T>
    using Buffer = simt::LOCKSTEP_MACHINE::Buffer<T>;

    // Small teams have one jump per lane. In a large team, a block's jump leads to its first word, and a lane's jump
    // from there to the lane's first word: a smaller table, and a second jump for every lane. Every lane's jump
    // includes the words before the first item. Places of windows cannot be joined.
    static constexpr std::uint64_t max_jumping_lanes = std::is_same_v<Engine, Windows> ? max_team : max_single_jumps;

    static bool has_single_jumps(TeamParameters<JumpAhead> const& team) {
        return team.blocks == 1 || std::uint64_t{team.lanes} * team.blocks <= max_jumping_lanes;
    }

    void upload_jumps() {
        std::uint64_t const words = std::uint64_t{parameters_.run} * Model::words_per_item;
        std::vector<JumpAhead> jumps(jumps_.size());
        if (has_single_jumps(parameters_)) {
            Engine::jump_table(Model::words_before, words, jumps.data(), parameters_.lanes * parameters_.blocks);
        } else {
            Engine::jump_table(Model::words_before, words, jumps.data(), parameters_.lanes);
            Engine::jump_table(0, parameters_.lanes * words, jumps.data() + parameters_.lanes, parameters_.blocks);
            parameters_.block_jumps = jumps_.data() + parameters_.lanes;
        }
        jumps_.upload(jumps);
        parameters_.lane_jumps = jumps_.data();
    }

    void make_memory(Job const& job) {
        if (parameters_.blocks == 1)
            return;
        std::size_t const blocks = job.size() * parameters_.blocks;
        if constexpr (Model::has_past) {
            messages_ = zeros<unsigned long long>(blocks * TeamMessages<Model>::words);
            launches_ = zeros<unsigned>(blocks);
            memory_.messages = messages_->data();
            memory_.launches = launches_->data();
        } else {
            sums_ = std::make_unique<Buffer<typename Model::Sums>>(blocks);
            finished_ = zeros<unsigned long long>(job.size());
            memory_.sums = sums_->data();
            memory_.finished = finished_->data();
        }
    }

    template <class T>
    static std::unique_ptr<Buffer<T>> zeros(std::size_t count) {
        auto buffer = std::make_unique<Buffer<T>>(count);
        buffer->fill_bytes(0);
        return buffer;
    }

    TeamParameters<JumpAhead> parameters_;
    TeamMemory memory_;
    Buffer<JumpAhead> jumps_;
    std::unique_ptr<Buffer<unsigned long long>> messages_;
    std::unique_ptr<Buffer<unsigned>> launches_;
    std::unique_ptr<Buffer<typename Model::Sums>> sums_;
    std::unique_ptr<Buffer<unsigned long long>> finished_;
};

template <class JumpAhead, class... Memory>
class CooperativeCase : public JobCase<TeamParameters<JumpAhead>, Memory...> {
public:
    using Base = JobCase<TeamParameters<JumpAhead>, Memory...>;

    CooperativeCase(Job const& job, std::string name, typename Base::Kernel kernel, simt::LaunchShape const& shape,
                    std::tuple<TeamParameters<JumpAhead>, Memory...> const& parameters,
                    std::shared_ptr<void const> buffers)
        : Base(job, std::move(name), kernel, shape, parameters, std::move(buffers)), team_(std::get<0>(parameters)) {}

    bench::Metrics metrics() const override {
        return {{"team_lanes", double(team_.lanes) * team_.blocks}, {"items_per_lane", double(team_.run)}};
    }

private:
    TeamParameters<JumpAhead> team_;
};

// The launch of all teams of a job, without shared memory. Throws bench::Error if one launch cannot hold them.
inline simt::LaunchShape team_shape(Job const& job, Team const& team, unsigned block) {
    constexpr std::uint64_t max_blocks = std::numeric_limits<int>::max();
    std::uint64_t const blocks = (job.size() * team.lanes + block - 1) / block;
    bool const small = team.lanes <= 32;
    if (!small && blocks > max_blocks) {
        throw bench::Error(std::to_string(job.size()) + " replications are too many for teams of " +
                               std::to_string(team.lanes) + " lanes",
                           "a launch has at most 2^31 - 1 blocks", "Use fewer lanes.");
    }
    return {.grid = {static_cast<unsigned>(std::min(blocks, max_blocks))}, .block = {block}};
}

// Throws as team_shape(). The launch of a team that long_walk() takes.
inline std::unique_ptr<bench::Case> make_long_walk_case(Job const& job, Team const& team) {
    struct Buffers {
        TeamBuffers<LongWalk, Windows> team;
        simt::LOCKSTEP_MACHINE::Buffer<WindowTable> windows;
        simt::LOCKSTEP_MACHINE::Buffer<unsigned short> moves;
    };
    auto const buffers =
        std::make_shared<Buffers>(Buffers{{job, team},
                                          simt::LOCKSTEP_MACHINE::Buffer<WindowTable>(1),
                                          simt::LOCKSTEP_MACHINE::Buffer<unsigned short>(LongWalk::entries)});
    buffers->windows.upload(std::vector<WindowTable>{Windows::table()});
    buffers->moves.upload(LongWalk::table_of(job.points.front()));
    simt::LaunchShape shape = team_shape(job, team, std::min(team.lanes, team.block));
    shape.shared_bytes = sizeof(TeamTile<LongWalk>);
    shape.cooperative = buffers->team.parameters().blocks > 1;
    LongWalkTables const tables = {buffers->windows.data(), buffers->moves.data()};
    return std::make_unique<CooperativeCase<Windows::JumpAhead, LongWalkTables, TeamMemory>>(
        job, "long_walk", long_walk, shape, std::tuple(buffers->team.parameters(), tables, buffers->team.memory()),
        buffers);
}

template <class Model, class Engine>
std::unique_ptr<bench::Case> make_cooperative_case(Job const& job, Team const& asked) {
    using JumpAhead = typename Engine::JumpAhead;
    Team const team = best_team(job, asked, multiprocessors());
    if constexpr (std::is_same_v<Model, Walk>) {
        if (is_long_walk(job, team))
            return make_long_walk_case(job, team);
    }
    if (team.lanes <= 32) {
        simt::LaunchShape shape = team_shape(job, team, team.block);
        shape.shared_bytes = Model::items_for_table != 0 ? sizeof(typename Model::Table) : 0;
        auto const buffers = std::make_shared<TeamBuffers<Model, Engine>>(job, team);
        return std::make_unique<CooperativeCase<JumpAhead>>(job, "cooperative_warp", cooperative_warp<Model, Engine>,
                                                            shape, std::tuple(buffers->parameters()), buffers);
    }
    simt::LaunchShape shape = team_shape(job, team, std::min(team.lanes, team.block));
    auto const buffers = std::make_shared<TeamBuffers<Model, Engine>>(job, team);
    shape.shared_bytes = sizeof(TeamTile<Model>);
    shape.cooperative = Model::has_past && buffers->parameters().blocks > 1;
    return std::make_unique<CooperativeCase<JumpAhead, TeamMemory>>(
        job, "cooperative_block", cooperative_block<Model, Engine>, shape,
        std::tuple(buffers->parameters(), buffers->memory()), buffers);
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
