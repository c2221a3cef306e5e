#pragma once
// The interface between the emulator's kernel-side headers and its scheduler. Opaque, so that the scheduler can be
// built without ThreadSanitizer while the kernels are built with it.

#include <cstddef>
#include <cstdint>

#include "harness/simt/emulator/source_location.hpp"

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

// Performs one warp collective for the calling lane: waits until every lane in `mask` has called the same one. `value`
// holds the operand's bits (sign-extended if signed); `argument` is a source lane, distance or lane mask.
std::uint64_t warp_collective(Collective kind, unsigned mask, std::uint64_t value, unsigned argument, unsigned width,
                              std::source_location site);

// The block's barrier: waits until every lane of the block that has not exited has reached the same call site.
int block_barrier(Barrier kind, int predicate, std::source_location site);

// The lanes of the caller's warp that are at this call site together: those that arrive before all others of the warp
// wait or have exited. As on a device, lanes that could be in it may be missing, when others keep running for long.
unsigned gathered_lanes(std::source_location site);

// Whether the caller is a lane of a launch, and not the host.
bool on_lane();

// Lets other lanes run. `asleep` is true if the lane waits for another lane's action, and `idle` if it has changed
// nothing that another lane could wait for: an atomic that left its word as it was. If all lanes do no more than that
// for long, the launch ends with an error.
void yield_lane(bool asleep, bool idle = false);

// CUDA's thread scopes: the lanes for which an atomic or a fence orders memory (PTX ISA, scope).
enum class Scope : unsigned char { lane, block, device, system };
// How a GPU updates a word of memory: by an instruction, by one that counts the lanes of a word, by an exchange, by a
// compare-and-swap, or, in shared memory, by loads and swaps in a loop.
enum class WordUpdate : unsigned char { atomic, increment, exchange, swap, loop };
// The scope of the atomics and fences that follow on this CPU thread (scoped_access.hpp). Only access checks ask for
// it.
void tell_scope(Scope scope, WordUpdate update = WordUpdate::atomic);
Scope told_scope();
WordUpdate told_update();

// Stops the launch with an error that names the calling lane and `site`.
[[noreturn]] void refuse(char const* what, std::source_location site);
[[noreturn]] void refuse(char const* what, char const* file, unsigned line);
// The same for an index that is not below `size`.
[[noreturn]] void refuse_index(std::size_t index, std::size_t size, std::source_location site);

// The block's shared memory: base address, one flag per byte that is 1 if the byte has been written, and size.
struct SharedArena {
    std::byte* data = nullptr;
    unsigned char* written = nullptr;
    std::size_t bytes = 0;
};
SharedArena const& shared_arena();

}  // namespace lockstep::simt::emulator

// CUDA's built-in variables. A block stays on one CPU thread, and threadIdx is set before each lane runs, so
// thread_local variables suffice.
extern thread_local constinit lockstep::simt::emulator::Index threadIdx;
extern thread_local constinit lockstep::simt::emulator::Index blockIdx;
extern thread_local constinit lockstep::simt::emulator::Index blockDim;
extern thread_local constinit lockstep::simt::emulator::Index gridDim;
inline int const volatile warpSize = 32;  // a run-time value, as on CUDA, so no compiler can unroll loops by it
