#include "experiments/rule_interpreter/invalid_lines.hpp"

#include <cstdio>

#include "harness/bench/input_file.hpp"
#include "harness/bench/one_line.hpp"

namespace lockstep::rule_interpreter {

bool print_invalid_lines(PuzzleFile const& file, std::string const& path) {
    for (std::string const& error : file.errors)
        std::fprintf(stderr, "lockstep: %s\n", bench::message_line(error).c_str());
    std::string const name = path == bench::standard_input ? "standard input" : path;
    if (file.invalid_lines > file.errors.size())
        std::fprintf(stderr, "lockstep: %zu more lines of %s are not puzzles\n",
                     file.invalid_lines - file.errors.size(), bench::one_line(name).c_str());
    return file.invalid_lines != 0;
}

}  // namespace lockstep::rule_interpreter
