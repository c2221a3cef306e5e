#pragma once
// Command `lockstep sudoku`: counts the solutions of Sudoku puzzles and prints the only one.

namespace lockstep::rule_interpreter {

// argv[0] is the name of the command. Returns 2 if the file has invalid lines, after processing the others. Throws
// bench::Error for a user's mistake.
int sudoku_command(int argc, char const* const* argv);

}  // namespace lockstep::rule_interpreter
