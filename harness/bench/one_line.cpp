#include "harness/bench/one_line.hpp"

#include <algorithm>
#include <cstdio>

#include "harness/bench/utf8.hpp"

namespace lockstep::bench {

namespace {

// In code points. The longest message of our own lists the 90 variants of an experiment.
constexpr std::size_t max_word = 300;
constexpr std::size_t max_text = 4000;

bool is_shown_as_it_is(char32_t const c) {
    auto const among = [c](char32_t const first, char32_t const last) { return c >= first && c <= last; };
    return !(c < 0x20 || among(0x7f, 0x9f) || among(0x2028, 0x202e) || among(0x2066, 0x2069) || among(0xfdd0, 0xfdef) ||
             c == 0xfffe || c == 0xffff);
}

std::string escaped(CodePoint const& point) {
    switch (point.is_valid ? point.value : 0) {
        case '\n':
            return "\\n";
        case '\r':
            return "\\r";
        case '\t':
            return "\\t";
        default:
            break;
    }
    char text[12];
    std::snprintf(text, sizeof text, point.value < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(point.value));
    return text;
}

// The text without its middle, if it is longer than this.
std::string shortened(std::string_view const text, std::size_t const longest) {
    if (text.size() <= longest || length_of(text) <= longest)
        return std::string(text);
    std::size_t const end = longest / 3;
    return std::string(first_of(text, longest - end)).append("...").append(last_of(text, end));
}

}  // namespace

std::string one_line(std::string_view const text) {
    std::string line;
    for (std::size_t at = 0; at < text.size();) {
        CodePoint const point = code_point_at(text, at);
        if (point.is_valid && is_shown_as_it_is(point.value))
            line.append(text.substr(at, point.bytes));
        else
            line += escaped(point);
        at += point.bytes;
    }
    return line;
}

std::string message_line(std::string_view const text) {
    std::string const line = one_line(text);
    std::string words;
    for (std::size_t at = 0; at < line.size();) {
        std::size_t const blank = std::min(line.find(' ', at), line.size());
        words += shortened(std::string_view(line).substr(at, blank - at), max_word);
        if (blank < line.size())
            words += ' ';
        at = blank + 1;
    }
    return shortened(words, max_text);
}

}  // namespace lockstep::bench
