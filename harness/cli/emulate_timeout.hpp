#pragma once
// What a program does when its time is over: the place where it is told, before SIGALRM ends it.

#include <functional>
#include <string>

namespace lockstep::cli {

struct Stopped {
    std::string where;  // "thread (5,0,0) in kernel 'k', block (0,0,0), warp 0, lane 5" or "the host's code"
    std::string file;   // empty if no line is known
    unsigned line = 0;
};

// Called once, in the process of the program, `object` being its file. After `seconds` the thread that gets the signal
// stops where it is, `tell` is called on another thread, and the process ends by SIGALRM.
void end_in(unsigned seconds, std::string const& object, std::function<void(Stopped const&)> tell);

}  // namespace lockstep::cli
