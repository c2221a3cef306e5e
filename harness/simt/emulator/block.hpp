#pragma once
// One block of an emulated launch: its lanes, what they wait for, and the rules by which they are scheduled.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/simt/emulator/arena.hpp"
#include "harness/simt/emulator/debug.hpp"
#include "harness/simt/emulator/draws.hpp"
#include "harness/simt/emulator/fiber.hpp"
#include "harness/simt/emulator/observer.hpp"
#include "harness/simt/emulator/options.hpp"
#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/emulator/source_location.hpp"
#include "harness/simt/emulator/watchdog.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::simt::emulator {

// A signal that a lane raised (faults.hpp).
struct Fault {
    int signal = 0;
    std::uintptr_t instruction = 0;
};

// State shared by all blocks of a launch. The first error stops the launch.
struct Launch {
    Launch(char const* kernel, LaunchShape const& wanted, void (*run_lane)(void*), void* lane_argument,
           std::size_t bytes_of_argument)
        : name(kernel), shape(wanted), lane(run_lane), argument(lane_argument), argument_bytes(bytes_of_argument) {}

    void stop(std::string const& message);
    void stop(Fault const& first);  // async-signal-safe

    char const* name;
    LaunchShape shape;
    void (*lane)(void*);
    void* argument;
    std::size_t argument_bytes;
    std::atomic<bool> stopped{false};
    std::atomic<std::uint64_t> changes{0};  // rounds of blocks that were not idle
    std::mutex mutex;
    std::string error;
    std::atomic<bool> has_fault{false};
    Fault fault;     // in place of an error
    char ended = 0;  // address with which ThreadSanitizer orders host and lanes
};

class Block;
struct Warp;

// One cache line, because blocks that wait often touch it at each turn.
struct alignas(64) Lane {
    Warp* warp;
    unsigned number;  // in the block
    Index thread;
    // Where the lane has waited; a lane that never waits needs none. Valid if has_fiber().
    Fiber* fiber;
    // The collective or barrier at which the lane waits, its operand, and after a collective its result.
    std::source_location site;
    std::uint64_t value;
    unsigned mask;
    unsigned argument;  // of a shuffle: the lane that it reads
    Collective collective;
    // Addresses with which ThreadSanitizer orders the lanes of a __syncwarp: what this lane did before, and what the
    // others did.
    char own_order;
    char others_order;

    Block& block() const;
    unsigned bit() const { return 1u << (number % 32); }  // in the masks of the warp
    bool has_fiber() const;
    bool exited() const;
};

// Bit masks of a warp's lanes that exist, have exited, have a fiber of their own, wait at a collective or at the
// block's barrier, or can run.
struct Warp {
    Block* block = nullptr;
    Lane* lanes = nullptr;
    unsigned present = 0;
    unsigned exited = 0;
    unsigned with_fiber = 0;
    unsigned at_collective = 0;
    unsigned at_barrier = 0;
    unsigned ready = 0;
    unsigned gathering = 0;  // lanes that are ready, but wait for others to gather (gather.cpp)
};

inline Block& Lane::block() const { return *warp->block; }
inline bool Lane::has_fiber() const { return (warp->with_fiber & bit()) != 0; }
inline bool Lane::exited() const { return (warp->exited & bit()) != 0; }

// The lanes and warps of a block. Successive blocks of a CPU thread use the same ones, because most of them does not
// change, and a short kernel takes less time than to set them up.
struct BlockLanes {
    explicit BlockLanes(Dim3 const& shape);

    unsigned count;
    std::unique_ptr<Lane[]> lanes;
    std::vector<Warp> warps;
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

// What a lane has done in its turn: sleep, an atomic that has changed nothing, or more.
enum class Activity : unsigned char { sleeps, idles, works };

class Block {
public:
    // No other block uses `lanes` at the same time.
    Block(Launch& launch, std::uint64_t rank, Options const& options, BlockLanes& lanes);
    ~Block();
    Block(Block const&) = delete;
    Block& operator=(Block const&) = delete;

    // Runs every runnable lane once. Returns true while unfinished lanes remain and the launch has not stopped.
    bool sweep();
    bool finished() const { return live_lanes_ == 0; }
    // Whether its lanes have done nothing for a while but wait for other blocks, or for each other without end.
    bool waits() const { return idling_.count() >= 64; }
    // Where a lane is, for messages.
    std::string location(Lane const& lane) const;
    // Unwinds all lanes after the launch has stopped.
    void abandon();

    // Called by the running lane, on its fiber.
    std::uint64_t collective(Lane& lane, unsigned width);
    int barrier(Lane& lane, Barrier kind);
    void yield(Lane& lane, Activity before);
    // A lane has written.
    void note_change() { activity_ = Activity::works; }
    unsigned gather(Lane& lane, std::source_location site);
    [[noreturn]] void refuse(Lane const& lane, std::string const& what, std::source_location site);
    [[noreturn]] void refuse(Lane const& lane, std::string const& what, char const* file, unsigned line);
    void end_faulted(Lane& lane, Fault const& fault);

    SharedArena const& arena() const { return arena_.view(); }
    Launch& launch() const { return launch_; }
    std::uint64_t rank() const { return rank_; }
    Index const& index() const { return index_; }
    std::span<Lane> lanes() const { return {lanes_, lane_count_}; }
    unsigned ready_lanes(unsigned warp) const { return warps_[warp].ready; }
    // Of a lane that is running.
    Fiber const& fiber_of(Lane const& lane) const { return lane.has_fiber() ? *lane.fiber : *runner_; }
    // The running lane has passed all of them.
    unsigned barriers_completed() const { return barriers_completed_; }

    void* observed = nullptr;  // the observer's, which is told when the block begins and ends

    // Where the block's `__shared__` variables are (shared_variables.cpp): an offset in the arena plus 1 by the number
    // of the variable, the bytes that they take behind the dynamic memory, and those without what is between them.
    std::vector<std::size_t> variable_offsets;
    std::size_t variable_bytes = 0;
    std::size_t static_bytes = 0;

private:
    void begin_order();
    void begin_round();
    bool begin_warp();
    void shuffle_ready_lanes();
    unsigned pick();
    Lane* next_lane();
    Lane* lane_of_highest_priority();
    void lower_priority(Lane const& lane, Activity before);
    void update_ranks();

    void start_on(Fiber* fiber);
    void begin_turn(Lane& lane);
    Context& context_of(Lane const& lane);
    Context& context_of_next(Lane* next);
    void go_to(Lane& lane);
    void run_lanes();
    void run_lane(Lane& lane);
    void lane_ended(Lane& lane);
    void check_waiting_for(Lane const& ended);
    void return_ended_fibers();
    void wait(Lane& lane, Activity before = Activity::works);

    void check_mask(Lane const& lane, unsigned given);
    unsigned lane_to_read(Lane const& lane, unsigned width);
    bool complete_collective(Lane& last);
    void leave_masks(Lane const& ended);
    void check_same_call(Lane const& lane);
    void check_barrier(Lane const& lane);
    void complete_barrier();
    void order_by_syncwarp(Lane const& last);

    void report_no_progress(char const* why);
    void report_endless_sleep();
    void report_idle_lanes();
    // "block (X,Y,Z), warp W, lane L"
    struct PlaceText {
        char data[80];
    };
    PlaceText place(Lane const& lane) const;
    std::string location(Lane const& lane, std::source_location site) const;
    std::string location(Lane const& lane, char const* file, unsigned line) const;

    Launch& launch_;
    std::uint64_t rank_;
    Options const& options_;
    Lane* lanes_;
    Warp* warps_;
    unsigned lane_count_;
    unsigned warp_count_;
    unsigned live_lanes_;
    Index index_;
    Arena arena_;
    Draws draws_;

    // The current round: the number of warps that have had their turn, the warp whose turn it is, and its lanes that
    // have not run yet.
    unsigned turn_ = 0;
    Warp* warp_ = nullptr;
    unsigned ready_ = 0;
    Activity activity_ = Activity::sleeps;  // the highest of the lanes that have run
    // For LaneOrder::random: all warps, and the ready lanes of warp_, of which the first ready_count_ have not run yet.
    std::array<unsigned char, 32> shuffled_warps_;
    std::array<unsigned char, 32> shuffled_lanes_;
    unsigned ready_count_ = 0;
    // For LaneOrder::unfair: lanes by priority, of which the entry that rank_of_lane_ names counts; a rank below which
    // no lane can run; and turns left in this round.
    std::vector<unsigned> ranking_;
    std::vector<unsigned> rank_of_lane_;
    unsigned first_rank_ = 0;
    unsigned turns_left_ = 0;

    // What calls sweep(), the fiber on which lanes start, and a lane that was chosen where it cannot be continued.
    HomeContext home_;
    Fiber* runner_ = nullptr;
    Lane* chosen_ = nullptr;
    // For ThreadSanitizer: the fibers of ended lanes, on which no other lane of this block may run.
    Fiber* ended_fiber_ = nullptr;
    std::vector<Fiber*> ended_fibers_;

    // The barrier that lanes wait at, and the results of the last two by the parity of the barrier's number.
    struct BarrierCounts {
        unsigned lanes = 0;
        unsigned true_lanes = 0;
    };
    unsigned barriers_completed_ = 0;
    BarrierCounts waiting_;
    BarrierCounts completed_[2];
    Lane const* first_at_barrier_ = nullptr;

    // Rounds in a row, and since when they go on.
    class Rounds {
    public:
        void reset() { count_ = 0; }
        // Another one. True if they have gone on for `seconds`.
        bool go_on_for(double seconds);
        unsigned count() const { return count_; }

    private:
        unsigned count_ = 0;
        std::chrono::steady_clock::time_point since_;
    };
    Rounds sleeping_;
    Rounds idling_;
    std::uint64_t changes_ = 0;            // of the launch, at the last idle round
    std::unique_ptr<BlockOrders> orders_;  // null without ThreadSanitizer
    LiveBlock live_{*this, launch_.name};
};

// The lane that is running on this CPU thread, or null.
extern thread_local constinit Lane* current_lane;
inline Lane& running_lane() { return *current_lane; }
inline bool is_lane_running() { return current_lane != nullptr; }
// The turns of this CPU thread, for the watchdog.
Turns& turns_of_this_thread();

}  // namespace lockstep::simt::emulator
