#pragma once
// What a process gets from its parent: descriptors, signals, limits. Prepared before a command runs, so that no command
// has to check it.

namespace lockstep::cli {

// Opens descriptors 0 to 2 if they are closed, so that no file gets their number and somebody's output; handles signals
// (harness/bench/interrupt.hpp); raises a small limit of the stack. Throws bench::Error if the limit cannot be raised.
void prepare_process();

// Throws bench::Error if something that the program printed did not arrive.
void finish_output();

}  // namespace lockstep::cli
