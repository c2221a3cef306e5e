#pragma once
// `lockstep interpret`: the paper's interpreter as a tool.

namespace lockstep::rule_interpreter {

// Applies a rule base to states, and says what became of them on standard output and, where asked, in a CSV file.
// argv[0] is the name of the command. Returns 2 where lines of a puzzle file were no puzzles, after the others are
// done. Throws bench::Error for a user's mistake.
int interpret_command(int argc, char const* const* argv);

}  // namespace lockstep::rule_interpreter
