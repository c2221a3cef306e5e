#pragma once
// Errors that only some orders of the lanes show, each with a fixed version, for the emulator.

#include <vector>

namespace lockstep::schedules::emulator {

// Three lanes pop nodes from a stack in global memory and push them again. The head of the stack is a node's number,
// which may be the same although the stack has changed (ABA); fixed: it also counts the changes. Returns how many nodes
// were popped while another lane held them.
unsigned nodes_held_twice(bool fixed);

// The lanes of two warps take numbers from a counter that they read and write by two atomics; fixed: by one. Returns
// how many of 64 numbers were never taken.
unsigned numbers_not_taken(bool fixed);
// Returns the thread that took the first number, by one atomic.
unsigned taker_of_number_0();
// The same with one lane in each of 16 blocks: all numbers' takers.
std::vector<unsigned> takers_among_blocks();

// Each of 16 blocks of 64 lanes, not launched cooperatively, waits at a barrier of the grid that its lanes make
// themselves. Returns how many blocks passed it.
unsigned blocks_that_meet();

}  // namespace lockstep::schedules::emulator
