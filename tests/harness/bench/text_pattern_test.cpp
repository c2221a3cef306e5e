#include "harness/bench/text_pattern.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace lockstep::bench {
namespace {

void expect_matches(std::string const& pattern, std::initializer_list<std::string> good,
                    std::initializer_list<std::string> bad) {
    TextPattern const made(pattern);
    for (std::string const& text : good)
        EXPECT_TRUE(made.matches(text)) << pattern << " and " << text;
    for (std::string const& text : bad)
        EXPECT_FALSE(made.matches(text)) << pattern << " and " << text;
}

TEST(BenchTextPattern, PartsAndRepetitions) {
    expect_matches("^a$", {"a"}, {"", "b", "aa", "a\n"});
    expect_matches("^[a-z_][0-9-]*$", {"a", "_1-", "z--"}, {"", "1", "a_"});
    expect_matches("^[0-9]{1,2}/[1-9]{2}$", {"1/11", "12/99"}, {"/11", "123/11", "1/1", "1/111"});
    expect_matches("^x?y+z$", {"yz", "xyyz"}, {"z", "xz", "xxyz"});
    expect_matches("^(?:0x[0-9a-f]{1,2})?$", {"", "0x1", "0xff"}, {"0x", "0", "0xfff", "0x10x1"});
    expect_matches("^[a-z]+(?:\\.[a-z]+)*$", {"a", "ab.c.d"}, {"a.", ".a", "a..b"});
}

TEST(BenchTextPattern, CharactersBeyondAscii) {
    expect_matches("^[^\\u0000-\\u001f\\u2028-\\u202e]*$", {"", "é漢\U0001f600", "\u2027\u202f"},
                   {"\n", "\u2028", "a\u202e"});
    expect_matches("^[\\u00e9\\t]漢$", {"é漢", "\t漢"}, {"e漢", "é"});
}

TEST(BenchTextPattern, OtherPatternsAreRefused) {
    for (char const* const pattern :
         {"",       "a",     "^a",      "a$",        "^a|b$",  "^.$",   "^(a)$", "^(?:a$",  "^[a$",    "^a{$",
          "^a{1,$", "^\\d$", "^(?=a)$", "^(?:a*)*$", "^(?:)$", "^a**$", "^a$b",  "^\\u12$", "^[[a]]$", "^a{99999$"})
        EXPECT_THROW(TextPattern{pattern}, std::logic_error) << pattern;
}

// One pass over the text, where a matcher that goes back takes exponential time.
TEST(BenchTextPattern, LongTexts) {
    std::string const text(1000000, 'a');
    EXPECT_TRUE(TextPattern("^(?:a[b]*)*$").matches(text));
    EXPECT_FALSE(TextPattern("^(?:a[b]*)*c$").matches(text));
}

}  // namespace
}  // namespace lockstep::bench
