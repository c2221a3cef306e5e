#pragma once
// Text as code points. Texts of users need not be valid UTF-8.

#include <cstddef>
#include <string_view>

namespace lockstep::bench {

struct CodePoint {
    char32_t value = 0;     // of an invalid byte: the byte
    std::size_t bytes = 1;  // in the text
    bool is_valid = true;
};

// The code point that begins at a byte of the text. A byte that begins none is invalid and stands alone.
CodePoint code_point_at(std::string_view text, std::size_t at);

// The number of code points.
std::size_t length_of(std::string_view text);

// The text without what follows its first `count` code points.
std::string_view first_of(std::string_view text, std::size_t count);

// The last `count` code points, or all if there are fewer.
std::string_view last_of(std::string_view text, std::size_t count);

}  // namespace lockstep::bench
