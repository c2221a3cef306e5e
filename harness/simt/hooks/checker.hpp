#pragma once
// The observer behind hooks::Checks: state of blocks and lanes, and what happens at each access.

#include <memory>
#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "harness/simt/emulator/block.hpp"
#include "harness/simt/emulator/observer.hpp"
#include "harness/simt/emulator/watchdog.hpp"
#include "harness/simt/hooks/block_order.hpp"
#include "harness/simt/hooks/call_sites.hpp"
#include "harness/simt/hooks/checks.hpp"
#include "harness/simt/hooks/clocks.hpp"
#include "harness/simt/hooks/registry.hpp"
#include "harness/simt/hooks/shadow.hpp"
#include "harness/simt/hooks/warp_trace.hpp"
#include "harness/simt/hooks/weak_memory.hpp"

namespace lockstep::simt::hooks {

struct Access {
    Address at;
    std::size_t bytes;
    bool is_write;
    Kind kind;
    std::uintptr_t pc;         // return address of the instrumentation's call
    bool is_update = false;    // an atomic that reads and writes
    bool is_latest = false;    // sees the latest value of a weak memory
    bool is_exchange = false;  // a compare-and-swap
};

struct SharedVariable {
    std::size_t offset;
    std::size_t bytes;
    char const* name;
};

struct BlockState {
    BlockState(emulator::Block& running, Time now);

    emulator::Block& block;
    BlockClock clock;
    std::unique_ptr<Shadow> shared;
    std::vector<SharedVariable> variables;
    std::vector<WarpTrace> traces;            // only with counters
    std::vector<CallSites::Stack> stacks;     // of each lane
    std::vector<std::array<void*, 5>> exits;  // where a lane goes that cannot continue
    std::vector<std::uintptr_t> latest;       // the instruction of each lane's latest access or call
    std::vector<Address> polled;              // the address of each lane's latest volatile read
    std::unique_ptr<WeakBlock> weak;          // only with weak memory
};

class Checker : public emulator::Observer {
public:
    explicit Checker(Settings settings);

    void launch_begins(emulator::Launch& launch) override;
    void launch_ends(emulator::Launch& launch) override;
    void block_begins(emulator::Block& block) override;
    void block_ends(emulator::Block& block) override;
    void run(emulator::Lane& lane, emulator::Launch& launch) override;
    void barrier_completes(emulator::Block& block) override;
    void collective_completes(emulator::Lane& last) override;
    std::string latest_place_of(emulator::Lane const& lane) override;

    // From the instrumentation, on the running lane.
    void access(emulator::Lane& lane, Access const& access);
    // The same for a memory function, which the emulator calls for itself, too: nothing but device memory is checked.
    void access_range(emulator::Lane& lane, Access const& access);
    // A GPU stops the kernel at an access that is not aligned. `what` has the address: "8 bytes", or "an object of type
    // float4".
    void misaligned(emulator::Lane& lane, Access const& access, std::string const& what, std::size_t multiple);
    // Before a volatile read: a lane that reads the same word again lets others run, which may write it.
    void poll(emulator::Lane& lane, Address at);
    void fence(emulator::Lane& lane, int order, Scope scope);
    // Before an atomic write and after an atomic read.
    void release(emulator::Lane& lane, Address at, bool has_order, bool is_update);
    void acquire(emulator::Lane& lane, Address at, bool has_order);
    // Before and after an atomic, which sees the weak memory's values; no effect without weak memory.
    void begin_atomic(emulator::Lane& lane, Access const& access, int order);
    void end_atomic(emulator::Lane& lane, Access const& access, int order);
    // `here` is in the function that the lane enters.
    void enter(emulator::Lane& lane, std::uintptr_t return_address, std::uintptr_t here);
    void leave(emulator::Lane& lane) {
        CallSites::Stack& stack = state_of(lane.block()).stacks[lane.number];
        stack = sites_.leave(stack);
    }
    void basic_block(emulator::Lane& lane, std::uintptr_t pc);
    void declare(emulator::Lane& lane, SharedVariable const& variable);
    // From the instrumentation, on a thread of the host: an access to the device's memory.
    void host_access(Access const& access);

    // Reports and ends the lane and the launch.
    [[noreturn]] void fail(emulator::Lane& lane, Problem problem, std::string const& what, std::uintptr_t pc);

    Settings const& settings() const { return settings_; }
    std::vector<Report> const& reports() const { return reports_; }
    Counters counters(TypeAlignments const& alignments) const {
        return counters_of(tallies_, sites_, synchronised_, alignments);
    }

private:
    static BlockState& state_of(emulator::Block const& block) { return *static_cast<BlockState*>(block.observed); }

    // Where the running lane's stack begins; its top is where this function runs.
    Address stack_of(emulator::Lane const& lane);
    void access_shared(emulator::Lane& lane, BlockState& block, Access const& access);
    void access_global(emulator::Lane& lane, BlockState& block, Allocation& allocation, Access const& access);
    void access_elsewhere(emulator::Lane& lane, Access const& access);
    void refuse_host_memory(emulator::Lane& lane, Access const& access, std::string const& why);
    bool is_program_data(Address at);
    void check_set(emulator::Lane& lane, Shadow& shadow, std::size_t offset, Access const& access,
                   Allocation const* allocation);
    void check_races(emulator::Lane& lane, BlockState& block, Shadow& shadow, std::size_t offset, bool shared,
                     Access const& access, Allocation const* allocation);
    bool conflicts(Record const& earlier, BlockState const& block, unsigned lane, bool shared, Kind kind) const;
    void remember_read(Cell& cell, Record const& now, BlockState const& block, unsigned lane, bool shared) const;
    void report_all_but_guesses();
    void report_race(emulator::Lane& lane, Record const& earlier, bool earlier_writes, bool shared,
                     std::string const& target, Access const& access);
    // Adds a report unless there is one of its kind and lines. Returns false if there is, or if there are too many.
    bool add(Report report);
    void report(emulator::Lane& lane, Problem problem, std::string const& what, std::uintptr_t pc);
    Report make_report(emulator::Lane& lane, Problem problem, std::string const& what, std::uintptr_t pc);
    LanePlace other_place(Record const& record) const;
    [[noreturn]] void end_lane(emulator::Lane& lane);
    void yield(emulator::Lane& lane, emulator::Activity before);

    void begin_weak_memory();
    Words* weak_words(emulator::Lane& lane, Access const& access);
    void access_weakly(emulator::Lane& lane, BlockState& block, Words& words, Access const& access, Strength strength);
    void report_scope(emulator::Lane& lane, Access const& access, Scope scope);
    void trace(emulator::Lane& lane, BlockState& block, Access const& access, bool shared, std::size_t offset);
    void limit_trace(emulator::Lane& lane, BlockState& block);

    Settings settings_;
    std::vector<Report> reports_;
    std::set<std::tuple<Problem, std::string, unsigned, std::string, unsigned>> reported_lines_;
    CallSites sites_;
    std::mutex add_mutex_;  // threads of the host report at any time
    std::mutex host_mutex_;
    std::unordered_set<std::uintptr_t> reported_on_host_;
    std::unordered_set<std::uint64_t> reported_sites_;  // pairs, so that a line is looked up once
    // Races of a plain read with an atomic update, by the site of the read, until the launch ends. The read may be the
    // guess with which a loop of compare-and-swaps begins (CUDA C++ Programming Guide, "Atomic Functions").
    std::vector<std::pair<CallSites::Site, Report>> perhaps_guesses_;
    std::unordered_set<CallSites::Site> guesses_;
    emulator::Launch* launch_ = nullptr;
    emulator::Turns* turns_ = nullptr;  // of the CPU thread that runs the lanes
    Time launch_time_ = 1;
    Time latest_ = 1;
    std::unordered_map<Address, Released> released_;
    std::vector<std::unique_ptr<Shadow>> spare_shadows_;  // of ended blocks
    char const* stack_ = nullptr;                         // of the lane that made the last access
    std::vector<std::pair<Address, Address>> program_data_;
    BlockOrder order_;
    Tallies tallies_;
    std::map<Line, LineCounts> synchronised_;
    std::unique_ptr<Choices> choices_;  // of the weak memory
    std::unique_ptr<WeakMemory> weak_;  // of the running launch, or null
    std::uint64_t launches_ = 0;
};

std::string text_of(LanePlace const& place);

// The active checker, or null.
extern constinit Checker* active_checker;

// Signals that a lane's instructions raise: SIGFPE, SIGSEGV and SIGBUS become reports while a checker exists.
void catch_signals();
void release_signals();

}  // namespace lockstep::simt::hooks
