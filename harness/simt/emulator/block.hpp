#pragma once
// One block of an emulated launch: its lanes, what they wait for, and the rules by which they are scheduled.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <source_location>
#include <string>
#include <vector>

#include "harness/simt/emulator/arena.hpp"
#include "harness/simt/emulator/fiber.hpp"
#include "harness/simt/emulator/options.hpp"
#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::simt::emulator {

// State shared by all blocks of a launch. The first error stops the launch.
struct Launch {
    Launch(char const* kernel, LaunchShape const& wanted, void (*run_lane)(void*), void* lane_argument)
        : name(kernel), shape(wanted), lane(run_lane), argument(lane_argument) {}

    void stop(std::string const& message);

    char const* name;
    LaunchShape shape;
    void (*lane)(void*);
    void* argument;
    std::atomic<bool> stopped{false};
    std::mutex mutex;
    std::string error;
    char ended = 0;  // address with which ThreadSanitizer orders host and lanes
};

class Block;

enum class LaneStatus { unstarted, runnable, at_collective, at_barrier, exited };

struct Lane {
    Block* block = nullptr;
    unsigned number = 0;  // in the block
    Index thread;
    LaneStatus status = LaneStatus::unstarted;
    std::unique_ptr<Fiber> fiber;
    bool asleep = false;
    std::source_location site;
    // The collective or barrier at which the lane waits.
    Collective collective = Collective::sync_warp;
    Barrier barrier = Barrier::plain;
    unsigned mask = 0;
    std::uint64_t value = 0;
    unsigned argument = 0;
    unsigned width = 32;
    std::uint64_t result = 0;

    bool done() const { return status == LaneStatus::exited; }
    bool ready() const { return status == LaneStatus::unstarted || status == LaneStatus::runnable; }
};

// Bit masks of a warp's lanes that exist, have exited, or wait at a collective. A collective's mask is checked against
// them.
struct Warp {
    Lane* lanes = nullptr;
    unsigned present = 0;
    unsigned exited = 0;
    unsigned at_collective = 0;
    char order = 0;  // address with which ThreadSanitizer orders the warp's lanes
};

// Thrown to unwind a lane's kernel after the launch has stopped.
struct Abandoned {};

class Block {
public:
    Block(Launch& launch, std::uint64_t rank, Options const& options);

    // Runs every runnable lane once. Returns true while unfinished lanes remain and the launch has not stopped.
    bool sweep();
    bool finished() const { return live_lanes_ == 0; }
    // Unwinds all lanes after the launch has stopped.
    void abandon();

    // Called by the running lane, on its fiber.
    std::uint64_t collective(Lane& lane);
    int barrier(Lane& lane);
    void yield(Lane& lane, bool asleep);
    [[noreturn]] void refuse(Lane const& lane, std::string const& what, std::source_location site);

    SharedArena const& arena() const { return arena_.view(); }

private:
    void take_turn(Lane& lane);
    void run_lane(Lane& lane);
    void lane_ended(Lane& lane);
    void wait(Lane& lane);
    unsigned pick(unsigned ready);
    bool collective_complete(Lane const& lane);
    void check_mask(Lane const& lane);
    void check_barrier(Lane const& lane);
    void complete_collective(Lane const& last);
    void check_same_call(Lane const& lane);
    void complete_barrier();
    void report_no_progress();
    void report_endless_sleep();
    std::string location(Lane const& lane) const;
    Warp& warp_of(Lane const& lane) { return warps_[lane.number / 32]; }

    Launch& launch_;
    Index index_;
    Options options_;
    std::minstd_rand random_;
    Arena arena_;
    std::vector<Lane> lanes_;
    std::vector<Warp> warps_;
    std::vector<std::unique_ptr<Fiber>> finished_fibers_;
    unsigned live_lanes_ = 0;
    unsigned lanes_at_barrier_ = 0;
    Lane const* first_at_barrier_ = nullptr;
    bool slept_only_ = true;
    std::chrono::steady_clock::time_point last_progress_;
    char began_ = 0;  // addresses with which ThreadSanitizer orders lanes
    char barrier_order_ = 0;
};

// The lane that is running on this CPU thread.
Lane& running_lane();

}  // namespace lockstep::simt::emulator
