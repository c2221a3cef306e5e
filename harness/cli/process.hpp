#pragma once
// What a process gets from its parent: descriptors, signals, limits. Prepared before a command runs, so that no command
// has to check it.

#include <functional>
#include <memory>

namespace lockstep::cli {

// Opens descriptors 0 to 2 if they are closed, so that no file gets their number and somebody's output; handles signals
// (harness/bench/interrupt.hpp); raises a small limit of the stack. Throws bench::Error if the limit cannot be raised.
void prepare_process();

// Throws bench::Error if something that the program printed did not arrive.
void finish_output();

// Keeps what threads may still use when a command has its result. `is_busy` tells whether they do: the process then
// ends without waiting for them. What is not busy any more is destroyed by the next call.
void keep_until_exit(std::shared_ptr<void> used, std::function<bool()> is_busy);

// Call this last. Returns `code`; if a kept object is busy, ends the process with it instead.
int end_process(int code);

}  // namespace lockstep::cli
