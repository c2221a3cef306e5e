#pragma once
// What the kernel-side headers of the emulator ask of its scheduler. Opaque, so that the scheduler can be built without
// ThreadSanitizer while the kernels are built with it.

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace lockstep::simt::emulator {

struct Index {
    unsigned x = 0;
    unsigned y = 0;
    unsigned z = 0;
};

enum class Collective {
    sync_warp,
    ballot,
    any,
    all,
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    match_any,
    match_all,
    reduce_add,
    reduce_min,
    reduce_max,
    reduce_and,
    reduce_or,
    reduce_xor,
};

enum class Barrier { plain, count, all, any };

// One warp collective of the calling lane: waits until every lane of `mask` has called the same one.
// `value` are the operand's bits (sign-extended where signed), `argument` a source lane, distance or lane mask.
std::uint64_t warp_collective(Collective kind, unsigned mask, std::uint64_t value, unsigned argument, unsigned width,
                              std::source_location site);

// The block's barrier: waits until every lane of the block that has not exited is at the same call site.
int block_barrier(Barrier kind, int predicate, std::source_location site);

// Lets other lanes run. `asleep` where the lane waits for another's doing.
void yield_lane(bool asleep);

// Ends the launch with an error that names the calling lane and `site`.
[[noreturn]] void refuse(char const* what, std::source_location site);

// Base of the block's shared memory, its bytes, and for each byte whether it was written.
struct SharedArena {
    std::byte* data = nullptr;
    unsigned char* written = nullptr;
    std::size_t bytes = 0;
};
SharedArena const& shared_arena();

}  // namespace lockstep::simt::emulator

// CUDA's built-in variables. A block stays on one CPU thread, so thread_local is the lane's own.
extern thread_local constinit lockstep::simt::emulator::Index threadIdx;
extern thread_local constinit lockstep::simt::emulator::Index blockIdx;
extern thread_local constinit lockstep::simt::emulator::Index blockDim;
extern thread_local constinit lockstep::simt::emulator::Index gridDim;
inline int const volatile warpSize = 32;  // a run-time value, as on CUDA, where no compiler may unroll by it
