#pragma once
// The parts of C++ text that the weaver recognises: names, numbers and literals. The source and the code of annotations
// are read by the same functions, so that a text means the same before and after it is woven.

#include <string_view>

namespace lockstep::replications {

bool is_name_character(char c);

// The text without the spaces around it.
std::string_view trimmed(std::string_view text);

// The name, or the number with its digit separators, that begins at `at`. Empty if neither does.
std::string_view word_at(std::string_view text, std::size_t at);

// The position after the string or character literal that begins at `at`, or npos if its line ends before it is closed.
std::size_t past_literal(std::string_view text, std::size_t at);

// True if `prefix` before a double quote begins a raw string.
bool is_raw_prefix(std::string_view prefix);

}  // namespace lockstep::replications
