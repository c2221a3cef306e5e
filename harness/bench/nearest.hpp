#pragma once
// The suggestion in "unknown axis ocupied (...) did you mean occupied?".

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::bench {

// Minimum number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
unsigned edit_distance(std::string_view a, std::string_view b);

// Returns the candidate nearest to `word`, or an empty string if none is near: more than one letter of a word of up to
// four letters differs, two of up to eight, or a third of a longer one. A single letter is near to nothing. Words of
// more than 100 letters, and candidates after the first 10 000, are not compared, so that the time is bounded.
std::string nearest(std::string_view word, std::span<std::string const> candidates);

// "did you mean <nearest>?" (cuda for gpu), else "choose from a, b, c" or, for many, "choose from a, b, c or 17 more".
std::string suggestion(std::string_view word, std::span<std::string const> candidates);

// "a, b, c"
std::string joined(std::span<std::string const> words, std::string_view separator = ", ");

}  // namespace lockstep::bench
