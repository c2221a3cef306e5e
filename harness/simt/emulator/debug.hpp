#pragma once
// What a debugger reads of the emulator (harness/simt/gdb/lanes.py): the blocks that run on each CPU thread, and where
// the state of their lanes lies. Plain data, found by symbols that need no debug information, also in a core file.

#include <cstdint>

namespace lockstep::simt::emulator {

class Block;

// A block that is running.
struct DebugBlock {
    DebugBlock* next;
    char const* kernel;
    void const* lanes;
    void const* warps;
    std::uint32_t index[3];
    std::uint32_t lane_count;
};

// Sizes, and offsets in bytes. The script refuses another version.
struct DebugLayout {
    std::uint32_t version;
    std::uint32_t own_switch;  // whether fibers are switched by lockstep_switch_stack, whose saved registers are known
    std::uint32_t lane_size;
    std::uint32_t lane_fiber;
    std::uint32_t lane_site;
    std::uint32_t lane_mask;
    std::uint32_t warp_size;
    std::uint32_t warp_exited;
    std::uint32_t warp_with_fiber;
    std::uint32_t warp_at_collective;
    std::uint32_t warp_at_barrier;
    std::uint32_t site_is_pointer;  // to {file, function, line, column}, or those four themselves
};

// Puts a block on the list of its CPU thread while it exists.
class LiveBlock : private DebugBlock {
public:
    LiveBlock(Block const& block, char const* kernel);
    ~LiveBlock();
    LiveBlock(LiveBlock const&) = delete;
    LiveBlock& operator=(LiveBlock const&) = delete;

private:
    LiveBlock* previous_ = nullptr;
};

extern "C" {
// The last block that was begun on this CPU thread.
extern thread_local constinit DebugBlock* lockstep_debug_blocks;
extern DebugLayout const lockstep_debug_layout;
}

}  // namespace lockstep::simt::emulator
