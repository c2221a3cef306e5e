#pragma once
// Two races, each with its cure. For the emulator under ThreadSanitizer.

namespace lockstep::races::emulator {

// A tile in shared memory, reversed by the block: with the barrier between writing and reading, or without.
void reverse_tile(bool with_barrier);
// A tile reversed by a warp, with __syncwarp between, or without.
void reverse_warp_tile(bool with_syncwarp);
// Block 0 writes a word in global memory and raises a flag; block 1 waits for the flag and reads the word. With a
// release and an acquire, or with a relaxed atomic flag, which orders nothing.
void hand_over(bool with_release);
// Every block writes the same word of global memory: by atomics, or plainly.
void count_blocks(bool with_atomics);

}  // namespace lockstep::races::emulator
