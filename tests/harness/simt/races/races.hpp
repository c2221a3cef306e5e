#pragma once
// Races, each with a fixed version (argument true), for the emulator under ThreadSanitizer.

namespace lockstep::races::emulator {

// A block reverses a tile in shared memory, with or without the barrier between writing and reading.
void reverse_tile(bool with_barrier);
// A warp reverses a tile, with or without __syncwarp between writing and reading.
void reverse_warp_tile(bool with_syncwarp);
// A block rotates a tile twice, with or without the second barrier of each step, between reading and the next
// writing. A warp does so with or without the second __syncwarp.
void rotate_tile(bool with_second_barrier);
void rotate_warp_tile(bool with_second_syncwarp);
// The halves of a warp read each other's cells after a __syncwarp of each half, followed or not by one of the warp.
void swap_halves(bool with_full_mask);
// Every block reads what the block before it wrote, or what it wrote itself. Both have barriers, which order the
// threads of one block only.
void read_previous_block(unsigned threads, bool own);
// Block 0 writes a word in global memory and sets a flag; block 1 waits for the flag and reads the word. The flag uses
// release and acquire, or a relaxed atomic, which does not order the accesses to the word.
void hand_over(bool with_release);
// Every block increments the same word of global memory, with atomics or with plain accesses.
void count_blocks(bool with_atomics);
// The same, with one thread per block.
void count_in_single_lanes(bool with_atomics);

}  // namespace lockstep::races::emulator
