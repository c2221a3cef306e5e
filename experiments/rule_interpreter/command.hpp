#pragma once
// Command `lockstep interpret`: applies a rule base to many states with the paper's interpreter.

namespace lockstep::rule_interpreter {

// Applies a rule base to states, and writes the outcome to standard output and, on request, to a CSV file. argv[0] is
// the name of the command. Returns 2 if the puzzle file has invalid lines, after processing the others. Throws
// bench::Error for a user's mistake.
int interpret_command(int argc, char const* const* argv);

}  // namespace lockstep::rule_interpreter
