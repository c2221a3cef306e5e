#include "harness/bench/one_line.hpp"

#include <gtest/gtest.h>

#include "harness/bench/utf8.hpp"

namespace lockstep::bench {
namespace {

TEST(BenchOneLine, OtherCharactersAreEscaped) {
    EXPECT_EQ(one_line("é 漢 \U0001f600 \\ 'x'"), "é 漢 \U0001f600 \\ 'x'");
    EXPECT_EQ(one_line("a\nb\r\t\x1b[2J\x7f"), "a\\nb\\r\\t\\x1b[2J\\x7f");
    EXPECT_EQ(one_line(std::string_view("\0", 1)), "\\x00");
    EXPECT_EQ(one_line("\u0085\u2028\u202e\u2066\ufdd0\uffff"), "\\x85\\u2028\\u202e\\u2066\\ufdd0\\uffff");
}

TEST(BenchOneLine, BytesThatAreNotUtf8AreEscaped) {
    // A lone byte, overlong, a surrogate, beyond U+10FFFF, and a code point that ends too early.
    EXPECT_EQ(one_line("\xff\x80"), "\\xff\\x80");
    EXPECT_EQ(one_line("\xc0\x80"), "\\xc0\\x80");
    EXPECT_EQ(one_line("\xe0\x80\x80"), "\\xe0\\x80\\x80");
    EXPECT_EQ(one_line("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    EXPECT_EQ(one_line("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
    EXPECT_EQ(one_line("\xe2\x82"), "\\xe2\\x82");
    EXPECT_EQ(one_line("\xe2\x82z"), "\\xe2\\x82z");
}

TEST(BenchOneLine, LongWordsAndTextsLoseTheirMiddle) {
    std::string const path = "/" + std::string(298, 'p') + "é";
    EXPECT_EQ(message_line(path), path);
    std::string const shown =
        message_line("unknown variant " + std::string(1000000, 'v') + "\n (not in the list) choose");
    EXPECT_TRUE(shown.starts_with("unknown variant vvv")) << shown;
    EXPECT_TRUE(shown.ends_with("vvv\\n (not in the list) choose")) << shown;
    EXPECT_LT(shown.size(), 350u);
    std::string const words = message_line(std::string(1000000, ' ') + "end");
    EXPECT_EQ(words.size(), 4003u);
    EXPECT_TRUE(words.ends_with(" end"));
    EXPECT_EQ(message_line(""), "");
    EXPECT_EQ(message_line("a  b "), "a  b ");
}

TEST(BenchOneLine, CodePointsAreCounted) {
    EXPECT_EQ(length_of("aé漢\U0001f600\xff"), 5u);
    EXPECT_EQ(first_of("aé漢", 2), "aé");
    EXPECT_EQ(last_of("aé漢", 2), "é漢");
    EXPECT_EQ(last_of("aé", 7), "aé");
}

}  // namespace
}  // namespace lockstep::bench
