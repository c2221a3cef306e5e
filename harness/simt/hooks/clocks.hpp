#pragma once
// Which accesses happen before which: clocks that follow the structure of a launch.
//
// Every access has its lane's time. A lane's time grows at each operation that orders memory, so "all accesses of a
// lane with a smaller time" names what the lane did before that operation. The orders are kept where they arise:
//
//   launch       one time: everything earlier is ordered (launches wait for each other)
//   block        one time per block: what the block's lanes did before the block's last barrier
//   warp         32 times per lane: what each lane of its warp did before a __syncwarp with it
//   any lanes    a sorted list per lane, shared between lanes and mostly empty: what releases have told it
//
// So a check costs a few comparisons, a barrier one pass over the block's lanes, and a __syncwarp one over the warp's.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep::simt::hooks {

using Time = std::uint32_t;

// Times before which other lanes' accesses are ordered.
class Knowledge {
public:
    // The lanes of a block all together, or one lane of it.
    static std::uint64_t whole(std::uint32_t block) { return std::uint64_t{block} << 11; }
    static std::uint64_t lane(std::uint32_t block, unsigned number) { return whole(block) | (number + 1); }

    void add(std::uint64_t party, Time before);
    void add(Knowledge const& other);
    bool covers(std::uint32_t block, unsigned number, Time time) const;
    bool empty() const { return entries_.empty(); }

private:
    struct Entry {
        std::uint64_t party;
        Time before;
    };
    Time before(std::uint64_t party) const;

    std::vector<Entry> entries_;  // sorted by party
};

using Known = std::shared_ptr<Knowledge const>;

// Both together; no copy if one is empty or they are the same.
Known joined(Known const& a, Known const& b);

struct LaneClock {
    Time time = 0;
    std::array<Time, 32> warp{};
    // Accesses with a smaller time are before the lane's last fence, of device and of block scope; 0 without one.
    Time fenced = 0;
    Time fenced_in_block = 0;
    Known known;
    Known pending;  // read by relaxed atomics; known after a fence or a barrier
};

struct BlockClock {
    BlockClock(std::uint32_t number, unsigned lane_count, Time now);

    void barrier();
    void sync_warp(unsigned warp, unsigned mask);
    // __threadfence, or __threadfence_block.
    void fence(unsigned lane, bool device);
    // What a lane that reads the lane's release knows: what the lane did before its fence, and what it knew then.
    Knowledge released(unsigned lane, Time before) const;
    // The largest time of any lane.
    Time latest() const;

    std::uint32_t rank;
    Time last_barrier;
    std::vector<LaneClock> lanes;
};

// A word through which lanes synchronise, by atomics after fences or with release order.
struct Released {
    Knowledge on_device;
    Knowledge in_block;       // by a fence of block scope
    std::uint32_t block = 0;  // of in_block
    Known device_snapshot;    // of on_device, until the next release
    Known block_snapshot;
};

}  // namespace lockstep::simt::hooks
