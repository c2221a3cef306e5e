#pragma once
// The machine's C++ compiler as a process.

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::jit {

// Returns the words of $CXX, such as {"ccache", "g++"}, else the compiler that built this program if it still exists,
// else c++.
std::vector<std::string> cpp_compiler();
// Returns true if this command runs GCC: if a word that is no option, or the file that it links to, has the name of a
// GCC, such as g++ or x86_64-linux-gnu-g++-13, or if it is the compiler that built this program and that was GCC.
bool is_gcc(std::vector<std::string> const& command);
// The words with a blank between them.
std::string text_of(std::vector<std::string> const& command);

// Options with which the code names its lines to addr2line. binutils 2.40 reads wrong file names of DWARF 5.
inline constexpr char const* line_options[] = {"-g1", "-gdwarf-4"};
// Options with which an index outside of an array raises SIGILL, or SIGTRAP on Arm. Clang checks the last member of a
// struct, too; GCC does with bounds-strict.
std::vector<std::string> bounds_options();

inline constexpr int compiler_does_not_run = -1;
inline constexpr int compiler_is_too_slow = -2;
// Runs the command with its output in `log` and its temporary files in `scratch`. Returns its exit status, or one of
// the values above. At `deadline`, ends the compiler with all processes that it started, and so does what ends this
// process (bench/background_groups.hpp).
int run_compiler(std::vector<std::string> const& command, std::string const& scratch, std::string const& log,
                 std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt);

// Starts a shell with this script, whose $0, $1 ... are `words`. It leads a group of its own and has none of this
// process's descriptors but `kept`, so nobody waits for its end who does not know it. Its standard input has one line,
// which comes after registers(its number), or is empty if this process has ended before. Returns its number, or -1.
pid_t start_shell(std::string const& script, std::vector<std::string> const& words, int kept,
                  std::function<void(pid_t)> const& registers);

}  // namespace lockstep::jit
