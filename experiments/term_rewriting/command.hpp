#pragma once
// `lockstep rewrite`: the paper's system as a tool.

namespace lockstep::term_rewriting {

// Normal forms of a file's input terms, one a line. argv[0] is the name of the command. Returns 3 where a limit ended a
// term; throws bench::Error for a user's mistake.
int rewrite_command(int argc, char const* const* argv);

}  // namespace lockstep::term_rewriting
