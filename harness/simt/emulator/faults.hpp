#pragma once
// Signals that a lane's instructions raise: a division by zero, an address that is not mapped, a stack that is full. A
// handler of the program's calls end_faulted_lane(), and the launch ends with an exception.

#include <cstdint>
#include <string>

#include "harness/simt/error.hpp"

namespace lockstep::simt::emulator {

// What run_launch() throws after it.
class LaneFault : public Error {
public:
    LaneFault(std::string const& what, int number, std::uintptr_t at) : Error(what), signal(number), instruction(at) {}

    int signal;
    std::uintptr_t instruction;
};

// Ends the running lane and its launch, and does not return. It returns if the calling thread runs no lane, and under
// ThreadSanitizer, which takes the signals itself. For signal handlers on a stack of their own (Options::catches_faults
// provides it): it stores two words and leaves the handler by a switch to another stack, so the signal must not be
// blocked.
void end_faulted_lane(int signal, std::uintptr_t instruction);

}  // namespace lockstep::simt::emulator
