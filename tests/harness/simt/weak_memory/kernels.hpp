#pragma once
// Kernels that need their fences, for emulator and access checks.

#include <string>

#include "tests/harness/simt/weak_memory/litmus.hpp"

namespace lockstep::weak_memory_tests {

enum class Fences { both, only_writer, only_reader, of_block, none };

// Executes the program: one launch of its blocks, its locations in global or shared memory. `delays` has two bits per
// thread: the turns for which it waits first. Returns the outcome.
std::string run_litmus(litmus::Program const& program, bool in_shared_memory, unsigned delays);

// Sums 1, 2, ... of `blocks` blocks; the last one to finish adds the sums of all. Returns the total.
unsigned last_block_sum(unsigned blocks, Fences fences);
unsigned right_sum(unsigned blocks);

// Lanes of several blocks increment a counter under a lock. Returns the counter.
unsigned locked_count(unsigned blocks, unsigned rounds, Fences fences);

// Blocks exchange a message through a flag with atomics of block scope. Returns the message as received.
unsigned message_of_block_scope();

// One lane's copies of structs, of unaligned arrays and through memcpy, and stores of bytes. Returns what differs.
unsigned wrong_copies();

}  // namespace lockstep::weak_memory_tests
