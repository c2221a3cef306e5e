#pragma once
// The invalid lines of a puzzle file, on standard error.

#include <string>

#include "common/rule_interpreter/sudoku.hpp"

namespace lockstep::rule_interpreter {

// Prints a line per invalid line of the file, at most 100 and the number of the others. Returns whether there are any.
bool print_invalid_lines(PuzzleFile const& file, std::string const& path);

}  // namespace lockstep::rule_interpreter
