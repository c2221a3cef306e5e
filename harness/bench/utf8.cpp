#include "harness/bench/utf8.hpp"

namespace lockstep::bench {

namespace {

// How many bytes follow the first one; 0 if it is ASCII or begins no code point.
std::size_t bytes_after(unsigned char const first) {
    if (first >= 0xc2 && first <= 0xdf)
        return 1;
    if (first >= 0xe0 && first <= 0xef)
        return 2;
    return first >= 0xf0 && first <= 0xf4 ? 3 : 0;
}

// Overlong forms, surrogates and values above U+10FFFF are not UTF-8.
bool is_allowed(char32_t const value, std::size_t const more) {
    constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
    return value >= least[more] && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
}

}  // namespace

CodePoint code_point_at(std::string_view const text, std::size_t const at) {
    auto const first = static_cast<unsigned char>(text[at]);
    CodePoint const invalid = {first, 1, false};
    if (first < 0x80)
        return {first, 1, true};
    std::size_t const more = bytes_after(first);
    if (more == 0 || at + more >= text.size())
        return invalid;
    char32_t value = first & (0x3fu >> more);
    for (std::size_t i = 1; i <= more; ++i) {
        auto const next = static_cast<unsigned char>(text[at + i]);
        if ((next & 0xc0) != 0x80)
            return invalid;
        value = value << 6 | (next & 0x3fu);
    }
    return is_allowed(value, more) ? CodePoint{value, more + 1, true} : invalid;
}

std::size_t length_of(std::string_view const text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); at += code_point_at(text, at).bytes)
        ++count;
    return count;
}

std::string_view first_of(std::string_view const text, std::size_t count) {
    std::size_t at = 0;
    for (; at < text.size() && count > 0; --count)
        at += code_point_at(text, at).bytes;
    return text.substr(0, at);
}

std::string_view last_of(std::string_view const text, std::size_t const count) {
    std::size_t const length = length_of(text);
    return length <= count ? text : text.substr(first_of(text, length - count).size());
}

}  // namespace lockstep::bench
