#pragma once
// `lockstep rewrite`: the paper's system as a tool.

namespace lockstep::term_rewriting {

// Writes the normal forms of a file's input terms, one per line. argv[0] is the name of the command. Returns 3 if a
// limit ended a term. Throws bench::Error for a user error.
int rewrite_command(int argc, char const* const* argv);

}  // namespace lockstep::term_rewriting
