#pragma once
// The annotation preprocessor of section 5. It transforms text and recognises only comments, strings, braces and lines
// for the preprocessor, not the C++ grammar. weave_annotations.hpp describes the annotations.
//
// All insertions are on the lines of the annotations and braces, and a #line directive names the user's file, so
// compilers and debuggers refer to the user's source. The woven text needs no header.

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace lockstep::replications {

// Advice that is not written into the source, as in AspectC++: every __global__ function whose name matches `pattern`
// (harness/bench/pattern.hpp) gets the annotation, such as "@warp(lanes=4)".
struct Advice {
    std::string pattern;
    std::string annotation;
};

// The kernels with a body, and which advice applied to one, as numbers in the list of all.
struct Matches {
    std::set<std::string> kernels;
    std::set<std::size_t> advice;
};

// `file` is the name of the text in #line and in errors. Throws bench::Error with file and line for annotations that
// are unknown, nested, unbalanced or misplaced, for barriers and warp intrinsics that not all lanes would reach, and
// for names of an annotation that the kernel does not use, or has already. Adds to `matches` if it is given.
std::string weave(std::string const& text, std::string const& file, std::vector<Advice> const& advice = {},
                  Matches* matches = nullptr);

// The lines of the text that weaving changes, as a unified diff without context.
std::string woven_diff(std::string const& text, std::string const& woven, std::string const& file);

}  // namespace lockstep::replications
