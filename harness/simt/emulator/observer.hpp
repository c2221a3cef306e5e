#pragma once
// An observer of launches: access checks and counters (harness/simt/hooks) derive from it. At most one is active, and
// while it is, blocks run on one CPU thread, so no call needs a lock.

#include <string>

namespace lockstep::simt::emulator {

class Block;
struct Lane;
struct Launch;

class Observer {
public:
    virtual ~Observer() = default;

    virtual void launch_begins(Launch& launch) = 0;
    virtual void launch_ends(Launch& launch) = 0;
    virtual void block_begins(Block& block) = 0;
    virtual void block_ends(Block& block) = 0;
    // Calls launch.lane(launch.argument), the lane's kernel.
    virtual void run(Lane& lane, Launch& launch) = 0;
    // All lanes of the block that have not exited are at its barrier.
    virtual void barrier_completes(Block& block) = 0;
    // All lanes of `last.mask` are at a warp collective of kind `last.collective`.
    virtual void collective_completes(Lane& last) = 0;
    // "file:line" of the lane's latest access to memory, or empty. For messages about a lane that does not end.
    virtual std::string latest_place_of(Lane const& lane) = 0;
};

// The active observer, or null. Set between launches only.
extern constinit Observer* observer;

}  // namespace lockstep::simt::emulator
