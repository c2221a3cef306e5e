#pragma once
// The machine's C++ compiler as a process.

#include <string>
#include <vector>

namespace lockstep::jit {

// Returns $CXX, else the compiler that built this program if it still exists, else c++.
std::string cpp_compiler();

// Runs the command with its output in `log` and its temporary files in `scratch`. Returns its exit status, or -1 if it
// does not run.
int run_compiler(std::vector<std::string> const& command, std::string const& scratch, std::string const& log);

}  // namespace lockstep::jit
