#pragma once
// Races, each with a fixed version (argument true), for the emulator under ThreadSanitizer.

namespace lockstep::races::emulator {

// A block reverses a tile in shared memory, with or without the barrier between writing and reading.
void reverse_tile(bool with_barrier);
// A warp reverses a tile, with or without __syncwarp between writing and reading.
void reverse_warp_tile(bool with_syncwarp);
// Block 0 writes a word in global memory and sets a flag; block 1 waits for the flag and reads the word. The flag uses
// release and acquire, or a relaxed atomic, which does not order the accesses to the word.
void hand_over(bool with_release);
// Every block increments the same word of global memory, with atomics or with plain accesses.
void count_blocks(bool with_atomics);

}  // namespace lockstep::races::emulator
