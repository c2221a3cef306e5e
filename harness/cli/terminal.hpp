#pragma once
// What a stream can show, and texts that fit into it.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli {

enum class Colour { none, bold, faint, red, green, yellow };

struct Terminal {
    std::size_t width = 120;  // columns
    bool colour = false;

    // The text between the escape sequences of the colour, or the text alone.
    std::string coloured(std::string const& text, Colour wanted) const;
};

// The terminal behind a descriptor: its width, and colours unless NO_COLOR is set or TERM is "dumb" (no-color.org). A
// pipe or a file has 120 columns and no colours.
Terminal terminal_of(int descriptor);

// The text in lines of at most `width` code points, broken at blanks. A longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// The same as one text, in which every line but the first begins with `indent` blanks. `first` columns of the first
// line are taken.
std::string wrapped_after(std::size_t first, std::size_t indent, std::string_view text, std::size_t width);

// A text of several lines with the long ones broken. What follows is indented as the line's last column is, which two
// blanks precede.
std::string wrapped_lines(std::string_view text, std::size_t width);

// The text, or its beginning and "..." if it is longer than `width` code points.
std::string cut(std::string_view text, std::size_t width);

// The text with blanks after it, or before it, up to `width` code points.
std::string padded(std::string_view text, std::size_t width, bool right = false);

}  // namespace lockstep::cli
