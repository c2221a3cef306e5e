#include <algorithm>
#include <bit>

#include "experiments/replications/model_run.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::replications::model_file {

namespace {

// Those of an H200 where there is no GPU, so that the emulator plans alike.
std::uint64_t multiprocessors() {
    simt::DeviceList const list = simt::cuda_devices();
    return list.devices.empty() ? 132 : static_cast<std::uint64_t>(list.devices.front().multiprocessors);
}

constexpr std::uint64_t busy_warps = 16;         // per multiprocessor: they hide the latency of arithmetic
constexpr std::uint64_t busy_threads = 1024;     // per multiprocessor, for lanes that share replications
constexpr std::uint64_t min_steps_per_lane = 8;  // of a team: a lane also starts, skips and scans

LanePlan automatic_team(std::uint64_t replications, std::uint64_t steps) {
    std::uint64_t const wanted = multiprocessors() * busy_threads / std::max<std::uint64_t>(replications, 1);
    std::uint64_t const useful = std::max<std::uint64_t>(steps / min_steps_per_lane, 1);
    std::uint64_t const lanes = std::clamp<std::uint64_t>(std::min(wanted, useful), 1, max_team);
    return {true, static_cast<unsigned>(std::bit_floor(lanes)), 0};
}

LanePlan automatic_lanes(std::uint64_t replications) {
    std::uint64_t const per_warp = replications / (multiprocessors() * busy_warps);
    return {false, static_cast<unsigned>(std::bit_ceil(std::clamp<std::uint64_t>(per_warp, 1, 32))), 0};
}

// Lanes of a warp in small blocks, so that few replications spread over the multiprocessors.
unsigned block_of(LanePlan const& plan, std::uint64_t replications) {
    if (plan.team && plan.lanes > 32)
        return plan.lanes;
    std::uint64_t const per_warp = plan.team ? 32 / plan.lanes : plan.lanes;
    return replications / per_warp < 4 * multiprocessors() ? 32 : 128;
}

}  // namespace

LanePlan lane_plan(Scheme const& scheme, unsigned block, bool composes, std::uint64_t replications,
                   std::uint64_t steps) {
    LanePlan plan;
    if (scheme.name == "cooperative") {
        if (!composes)
            throw bench::Error("this model has no scheme cooperative", "it does not say how pieces compose",
                               "Write piece(), compose() and apply(), or use --scheme auto.");
        if (scheme.lanes > max_team)
            throw bench::Error("a team of " + std::to_string(scheme.lanes) + " lanes is too large",
                               "at most 1024 lanes share a replication of a model file", "Try cooperative:1024.");
        plan = scheme.lanes == 0 ? automatic_team(replications, steps) : LanePlan{true, scheme.lanes, 0};
    } else if (scheme.name == "auto") {
        plan = composes ? automatic_team(replications, steps) : automatic_lanes(replications);
        if (plan.team && plan.lanes == 1)
            plan = automatic_lanes(replications);
    } else {
        plan.lanes = scheme.name == "threads" ? 32 : scheme.name == "lanes" ? scheme.lanes : 1;
    }
    plan.block = block == 0 || (plan.team && plan.lanes > 32) ? block_of(plan, replications) : block;
    return plan;
}

}  // namespace lockstep::replications::model_file
