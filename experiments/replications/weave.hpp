#pragma once
// The annotation preprocessor of section 5. It transforms text and recognises only comments, strings and braces, not
// the C++ grammar.
//
//   // @warp           before a kernel: one lane of each warp runs its body, `warpIdx` is the warp's number in the grid
//   // @warp: begin    the same for a part of a body ...
//   // @warp: end      ... up to here
//
// `///@warp` is accepted too. All insertions are on the lines of the annotations and braces, and a #line directive
// names the user's file, so compilers and debuggers refer to the user's source. The woven text needs no header.

#include <string>

namespace lockstep::replications {

// `file` is the name of the text in #line and in errors. Throws bench::Error with file and line for annotations that
// are unknown, nested, unbalanced or misplaced.
std::string weave(std::string const& text, std::string const& file);

}  // namespace lockstep::replications
