#pragma once
// The annotation preprocessor of section 5: text in, text out. It knows comments, strings and braces, not C++.
//
//   // @warp           before a kernel: one lane of each warp runs its body, `warpIdx` is the warp's number in the grid
//   // @warp: begin    the same for a part of a body ...
//   // @warp: end      ... up to here
//
// (or `///@warp`). Insertions stand on the annotations' and braces' own lines, and #line names the user's file, so that
// compilers and debuggers point at what the user wrote. The woven text needs no header.

#include <string>

namespace lockstep::replications {

// `file` is what #line and errors call the text. Throws bench::Error with file and line for annotations that are
// unknown, nested, unbalanced or misplaced.
std::string weave(std::string const& text, std::string const& file);

}  // namespace lockstep::replications
