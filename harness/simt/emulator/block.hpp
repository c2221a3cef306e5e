#pragma once
// One block of an emulated launch: its lanes, what they wait for, and the rules by which they are scheduled.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include "harness/simt/emulator/arena.hpp"
#include "harness/simt/emulator/fiber.hpp"
#include "harness/simt/emulator/options.hpp"
#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/emulator/watchdog.hpp"
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

enum class LaneStatus { unstarted, started, exited };

struct Lane {
    Block* block;
    unsigned number;  // in the block
    Index thread;
    LaneStatus status = LaneStatus::unstarted;
    bool asleep = false;
    std::unique_ptr<Fiber> fiber;
    std::source_location site;
    // The collective or barrier at which the lane waits. Not initialised: blocks start often, and most lanes never
    // wait.
    Collective collective;
    Barrier barrier;
    unsigned mask;
    unsigned argument;
    unsigned width;
    std::uint64_t value;
    std::uint64_t result;
    // Addresses with which ThreadSanitizer orders the lanes of a __syncwarp: what this lane did before, and what the
    // others did.
    char own_order = 0;
    char others_order = 0;

    bool done() const { return status == LaneStatus::exited; }
};

// Bit masks of a warp's lanes that exist, have exited, wait at a collective or at the block's barrier, or can run.
struct Warp {
    Lane* lanes = nullptr;
    unsigned present = 0;
    unsigned exited = 0;
    unsigned at_collective = 0;
    unsigned at_barrier = 0;
    unsigned ready = 0;
};

// Addresses with which ThreadSanitizer orders the lanes of a block: its start, and its barriers in turn. A lane may
// reach barrier n + 1 before another has left barrier n, so each of the two has its own address. They lie on the heap,
// because ThreadSanitizer forgets the order by an address when its memory is freed.
struct BlockOrders {
    char began = 0;
    char barrier[2] = {};
};

// Thrown to unwind a lane's kernel after the launch has stopped.
struct Abandoned {};

class Block {
public:
    Block(Launch& launch, std::uint64_t rank, Options const& options);

    // Runs every runnable lane once. Returns true while unfinished lanes remain and the launch has not stopped.
    bool sweep();
    bool finished() const { return live_lanes_ == 0; }
    // Where a lane is, for messages.
    std::string location(Lane const& lane) const;
    // Unwinds all lanes after the launch has stopped.
    void abandon();

    // Called by the running lane, on its fiber.
    std::uint64_t collective(Lane& lane);
    int barrier(Lane& lane);
    void yield(Lane& lane, bool asleep);
    [[noreturn]] void refuse(Lane const& lane, std::string const& what, std::source_location site);

    SharedArena const& arena() const { return arena_.view(); }

private:
    Lane* next_lane();
    unsigned warp_of_turn(unsigned turn) const;
    Lane* lane_of_highest_priority();
    void start_on(std::unique_ptr<Fiber> fiber, Lane& lane);
    void take_turn(Lane& lane);
    void begin_turn(Lane& lane);
    void run_lanes(Lane* lane);
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
    void order_by_syncwarp(Lane const& last);
    void report_no_progress();
    void report_endless_sleep();
    std::string place(Lane const& lane) const;
    std::span<Lane> lanes() const { return {lanes_.get(), lane_count_}; }
    Warp& warp_of(Lane const& lane) { return warps_[lane.number / 32]; }
    Warp const& warp_of(Lane const& lane) const { return warps_[lane.number / 32]; }

    Launch& launch_;
    std::uint64_t rank_;
    Index index_;
    Options options_;
    std::minstd_rand random_;
    Arena arena_;
    unsigned lane_count_;
    std::unique_ptr<Lane[]> lanes_;
    std::vector<Warp> warps_;
    std::vector<unsigned> shuffled_warps_;  // for LaneOrder::random
    // For LaneOrder::unfair: a priority per lane, the lowest one given so far, and turns left in this sweep.
    std::vector<unsigned> priorities_;
    unsigned lowest_priority_ = 1u << 31;
    unsigned turns_left_ = 0;
    std::vector<std::unique_ptr<Fiber>> finished_fibers_;
    unsigned live_lanes_ = 0;
    // The current sweep: number of warps that have had their turn, the warp whose turn it is, its lanes that have not
    // run yet, and a lane that was chosen on a fiber on which it cannot run.
    unsigned turn_ = 0;
    unsigned warp_ = 0;
    unsigned ready_ = 0;
    Lane* chosen_ = nullptr;
    // The barrier that lanes wait at, and the results of the last two by the parity of the barrier's number.
    struct BarrierCounts {
        unsigned lanes = 0;
        unsigned true_lanes = 0;
    };
    unsigned barriers_completed_ = 0;
    BarrierCounts waiting_;
    BarrierCounts completed_[2];
    Lane const* first_at_barrier_ = nullptr;
    bool slept_only_ = true;
    std::chrono::steady_clock::time_point last_progress_;
    std::unique_ptr<BlockOrders> orders_;  // null without ThreadSanitizer
};

// The lane that is running on this CPU thread.
Lane& running_lane();
// The turns of this CPU thread, for the watchdog.
Turns const& turns_of_this_thread();

}  // namespace lockstep::simt::emulator
