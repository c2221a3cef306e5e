#pragma once
// Texts of users, files and libraries on one line of a terminal or of a message. plots/escape.py is the sibling.

#include <string>
#include <string_view>

namespace lockstep::bench {

// The text with other characters in place of those that end a line, move a cursor or reorder text: \n, \x1b, \u202e.
// Bytes that are not UTF-8 appear as \xff.
std::string one_line(std::string_view text);

// one_line(), with the middle left out of long words and of a long text. A message ends with what to do, which stays.
std::string message_line(std::string_view text);

}  // namespace lockstep::bench
