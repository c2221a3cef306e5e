#pragma once
// The host side of cooperative replication: how many lanes a team has, their jumps, the blocks' memory, the launch. For
// `.cu` files, after their kernels.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"
#include "harness/simt/devices.hpp"
#include "kernels/replications/cooperative_block.hpp"
#include "kernels/replications/cooperative_warp.hpp"
#include "kernels/replications/team_choice.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

// Multiprocessors of this machine; the emulator pretends to be an H200, so that it runs what such a card would.
inline unsigned multiprocessors() {
    if constexpr (simt::LOCKSTEP_MACHINE::machine == simt::Machine::cuda) {
        simt::DeviceList const list = simt::cuda_devices();
        if (!list.devices.empty())
            return static_cast<unsigned>(list.devices.front().multiprocessors);
    }
    return 132;
}

template <class Model, class Engine>
class CooperativeCase : public JobCase {
public:
    CooperativeCase(Job const& job, Team const& team) : JobCase(job) {
        Team const chosen = best_team(job, team, multiprocessors());
        parameters_.lanes = std::min(chosen.lanes, chosen.block);
        parameters_.blocks = chosen.lanes / parameters_.lanes;
        unsigned items = 0;
        for (Point const& point : job.points)
            items = std::max(items, point.items);
        parameters_.run = (items + chosen.lanes - 1) / chosen.lanes;
        set_shape(chosen);
        upload_jumps();
        make_memory();
    }

    void run(simt::Stream stream) override {
        if (job().size() == 0)
            return;
        if (small_) {
            simt::LOCKSTEP_MACHINE::launch("cooperative_warp", cooperative_warp<Model, Engine>, shape_, stream,
                                           parameters(), parameters_, JobCase::results());
        } else {
            simt::LOCKSTEP_MACHINE::launch("cooperative_block", cooperative_block<Model, Engine>, shape_, stream,
                                           parameters(), parameters_, memory_, JobCase::results());
        }
    }
    using JobCase::results;

    std::vector<simt::KernelAttributes> kernels() const override {
        if (small_) {
            return {simt::LOCKSTEP_MACHINE::attributes("cooperative_warp", cooperative_warp<Model, Engine>, shape_)};
        }
        return {simt::LOCKSTEP_MACHINE::attributes("cooperative_block", cooperative_block<Model, Engine>, shape_)};
    }
    bench::Metrics metrics() const override {
        return {{"team_lanes", double(parameters_.lanes) * parameters_.blocks},
                {"items_per_lane", double(parameters_.run)}};
    }

private:
    using JumpAhead = typename Engine::JumpAhead;

    void set_shape(Team const& team) {
        small_ = team.lanes <= 32;
        std::uint64_t const threads = job().size() * team.lanes;
        shape_.block.x = small_ ? team.block : parameters_.lanes;
        std::uint64_t const blocks = (threads + shape_.block.x - 1) / shape_.block.x;
        if (!small_ && blocks > std::numeric_limits<int>::max()) {
            throw bench::Error(std::to_string(job().size()) + " replications are too many for teams of " +
                                   std::to_string(team.lanes) + " lanes",
                               "a launch has at most 2^31 - 1 blocks", "Use fewer lanes.");
        }
        shape_.grid.x = static_cast<unsigned>(std::min<std::uint64_t>(blocks, std::numeric_limits<int>::max()));
        if (small_)
            return;
        shape_.shared_bytes = sizeof(TeamTile<Model>);
        shape_.cooperative = Model::has_past && parameters_.blocks > 1;
    }

    // Block b's first word and, from there, each lane's; those before the first item belong to every lane's jump.
    void upload_jumps() {
        std::uint64_t const words = std::uint64_t{parameters_.run} * Model::words_per_item;
        std::vector<JumpAhead> jumps(parameters_.lanes + parameters_.blocks);
        Engine::jump_table(Model::words_before, words, jumps.data(), parameters_.lanes);
        Engine::jump_table(0, parameters_.lanes * words, jumps.data() + parameters_.lanes, parameters_.blocks);
        jumps_ = std::make_unique<simt::LOCKSTEP_MACHINE::Buffer<JumpAhead>>(jumps.size());
        jumps_->upload(jumps);
        parameters_.lane_jumps = jumps_->data();
        parameters_.block_jumps = jumps_->data() + parameters_.lanes;
    }

    void make_memory() {
        if (parameters_.blocks == 1)
            return;
        std::size_t const blocks = job().size() * parameters_.blocks;
        pieces_ = std::make_unique<simt::LOCKSTEP_MACHINE::Buffer<typename Model::Transform>>(blocks);
        sums_ = std::make_unique<simt::LOCKSTEP_MACHINE::Buffer<typename Model::Sums>>(blocks);
        counters_ = std::make_unique<simt::LOCKSTEP_MACHINE::Buffer<unsigned long long>>(2 * job().size());
        counters_->fill_bytes(0);
        memory_ = {pieces_->data(), sums_->data(), counters_->data()};
    }

    bool small_ = true;
    TeamParameters<JumpAhead> parameters_;
    simt::LaunchShape shape_;
    TeamMemory memory_;
    std::unique_ptr<simt::LOCKSTEP_MACHINE::Buffer<JumpAhead>> jumps_;
    std::unique_ptr<simt::LOCKSTEP_MACHINE::Buffer<typename Model::Transform>> pieces_;
    std::unique_ptr<simt::LOCKSTEP_MACHINE::Buffer<typename Model::Sums>> sums_;
    std::unique_ptr<simt::LOCKSTEP_MACHINE::Buffer<unsigned long long>> counters_;
};

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
