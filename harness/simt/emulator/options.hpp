#pragma once
// Emulator options: the order in which lanes take turns, and the number of CPU threads.

#include <cstdint>

namespace lockstep::simt::emulator {

// The order in which runnable lanes run, and blocks begin. A fixed order hides missing synchronisation, so tests use
// several.
// - ascending, descending: of blocks, of warps, and of lanes in a warp.
// - random: every runnable lane of a block has one turn before the next round, in random order of the warps and of the
//   lanes in a warp; blocks begin in random order, and those of a cooperative launch take turns in random order.
// - unfair: each lane has a random priority, and the runnable lane with the highest one runs. It becomes the last when
// it
//   sleeps, and at one atomic in 16. This finds errors that need one lane to stop while another does much, such as ABA
//   (after Burckhardt and others, A randomized scheduler with probabilistic guarantees of finding bugs, ASPLOS 2010).
enum class LaneOrder { ascending, descending, random, unfair };

struct Options {
    LaneOrder order = LaneOrder::ascending;
    std::uint64_t seed = 0;            // of random and unfair: the same seed gives the same order on one CPU thread
    unsigned threads = 0;              // CPU threads that run blocks; 0: one per hardware thread
    double spin_limit_seconds = 60;    // error if all lanes of a block only sleep for this long
    double turn_limit_seconds = 600;   // the program ends if a lane runs for this long without a wait (watchdog.hpp)
    double silent_limit_seconds = 30;  // with access checks: and if it accesses nothing for this long
    // True: the mask of a warp collective may name lanes that have exited, which then take no part, as the CUDA C++
    // Programming Guide allows (it asks for all non-exited lanes of the mask). False: that is an error.
    bool masks_may_name_exited_lanes = false;
    // True: lanes may see each other's stores late and out of order, as a GPU's memory model allows, by the seed. Only
    // in a program with access checks (harness/simt/hooks/weak_memory.hpp), while they are active.
    bool weak_memory = false;
    // True: the program's handlers of faults call end_faulted_lane() (faults.hpp).
    bool catches_faults = false;
};

Options const& options();

// Sets the options for a scope. They apply to all launches of the program, so only one thread may use scopes at a time.
class ScopedOptions {
public:
    explicit ScopedOptions(Options const& wanted);
    ~ScopedOptions();
    ScopedOptions(ScopedOptions const&) = delete;
    ScopedOptions& operator=(ScopedOptions const&) = delete;

private:
    Options before_;
};

}  // namespace lockstep::simt::emulator
