#pragma once
// What is done with the message of an undefined operation before it ends the program; and the launch whose refusal the
// program has not noticed.

#include <string>

namespace lockstep::simt::cuda {

using TellError = void (*)(char const* message);

// Null, as at the start: the message is printed to standard error.
void set_tell_error(TellError tell);

// The last launch that was refused, until the program asks for an error. The kernel's name is empty if there is none.
struct RefusedLaunch {
    std::string kernel;
    int line = 0;  // 0 if unknown
};
void remember_refused(RefusedLaunch launch);
RefusedLaunch unread_refused();

}  // namespace lockstep::simt::cuda
