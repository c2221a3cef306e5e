#pragma once
// How the structs are aligned that a program's lines access, from what the compiler keeps for messages about misaligned
// ones (-fsanitize=alignment). The program itself is compiled without such checks.

#include <string>
#include <string_view>

namespace lockstep::jit {

// `assembly`: what g++ -S -O0 -fsanitize=alignment prints for x86-64. Returns lines "load bytes line file"
// and "store bytes line file".
std::string struct_alignments(std::string_view assembly);

// A C++ text that defines `lockstep_alignments`, a string with these lines.
std::string as_variable(std::string const& lines);

}  // namespace lockstep::jit
