#pragma once
// What is done with the message of an undefined operation before it ends the program; and the failures that the program
// has not noticed.

#include <string>
#include <vector>

namespace lockstep::simt::cuda {

using TellError = void (*)(char const* message);

// Null, as at the start: the message is printed to standard error.
void set_tell_error(TellError tell);

// A launch that was refused, or a call that failed and whose result the program discards (discarded.hpp).
struct Unnoticed {
    std::string rule;  // "refused-launch" or "failed-call"
    std::string text;  // "NAME fails at FILE:LINE (why)"
    std::string file;  // empty if unknown
    unsigned line = 0;
};
void remember_unnoticed(Unnoticed failure);
// The program asks for an error, so that it notices all failures so far.
void forget_unnoticed();
// The same by a synchronization, which asks nothing if the program discards its result.
void forget_unnoticed_by_synchronization();
// Those since the program has asked for an error, in order and without repetitions.
std::vector<Unnoticed> unnoticed();

}  // namespace lockstep::simt::cuda
