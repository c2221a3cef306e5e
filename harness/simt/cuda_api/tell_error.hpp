#pragma once
// What is done with the message of an undefined operation before it ends the program.

namespace lockstep::simt::cuda {

using TellError = void (*)(char const* message);

// Null, as at the start: the message is printed to standard error.
void set_tell_error(TellError tell);

}  // namespace lockstep::simt::cuda
