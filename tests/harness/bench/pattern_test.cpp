// Regular expressions over names: what they match, what is refused where, and how long matching takes.

#include "harness/bench/pattern.hpp"

#include <gtest/gtest.h>

#include <random>
#include <regex>

#include "harness/bench/error.hpp"
#include "harness/bench/one_line.hpp"

namespace lockstep::bench {
namespace {

std::string pattern_rejection(std::string const& text) {
    try {
        Pattern const compiled(text, "--variant");
    } catch (Error const& error) {
        return message_line(error.what());
    }
    return "no error";
}

struct Expected {
    char const* pattern;
    std::vector<char const*> matched;
    std::vector<char const*> not_matched;
};

TEST(BenchPattern, MatchesEntireNames) {
    Expected const cases[] = {
        {"", {""}, {"a"}},
        {"word", {"word"}, {"", "wor", "words", "sword", "Word"}},
        {".", {"a", "_", "("}, {"", "ab"}},
        {"a*", {"", "a", "aaaa"}, {"b", "ab"}},
        {"a+", {"a", "aaaa"}, {"", "ab"}},
        {"a?b", {"b", "ab"}, {"", "a", "aab"}},
        {"a{3}", {"aaa"}, {"", "aa", "aaaa"}},
        {"a{2,}", {"aa", "aaaaaa"}, {"", "a", "aab"}},
        {"a{0,2}", {"", "a", "aa"}, {"aaa"}},
        {"a{0}b", {"b"}, {"ab"}},
        {"(ab){1,2}", {"ab", "abab"}, {"", "aba", "ababab"}},
        {"a|bc|", {"a", "bc", ""}, {"b", "abc", "ac"}},
        {"a(b|c)d", {"abd", "acd"}, {"ad", "abcd", "ab"}},
        {"ab|cd", {"ab", "cd"}, {"abd", "acd"}},
        {"as_printed(_.*)?|fast",
         {"as_printed", "as_printed_", "as_printed_traced", "fast"},
         {"as_printedx", "faster"}},
        {"[a-cx]", {"a", "b", "c", "x"}, {"d", "", "-", "ab"}},
        {"[^a-c]", {"d", "-", "_"}, {"a", "b", "c", ""}},
        {"[a-]", {"a", "-"}, {"b"}},
        {"[-a]", {"a", "-"}, {"b"}},
        {"[\\]\\\\\\^]", {"]", "\\", "^"}, {"a"}},
        {"[\\d_]+", {"1_2"}, {"a", ""}},
        {"[.*(|]+", {".*(|"}, {"a"}},
        {"\\d+", {"0", "0123456789"}, {"", "a", "1a"}},
        {"\\D", {"a", "_"}, {"1"}},
        {"\\w+", {"aZ_09"}, {"-", "a b"}},
        {"\\W", {"-", " "}, {"a", "_", "9"}},
        {"a\\sb", {"a b", "a\tb"}, {"ab", "a_b"}},
        {"\\S", {"a"}, {" "}},
        {"a\\.b\\*", {"a.b*"}, {"axb*", "a.b"}},
        {"\\(\\)\\[\\]\\{\\}\\|\\^\\$\\+\\?\\\\", {"()[]{}|^$+?\\"}, {""}},
        {"^a$", {"a"}, {"aa"}},
        {"(^|b)a", {"a", "ba"}, {"ca"}},
        {"a^b|a$b", {}, {"ab", "a", "b", "a^b"}},
        {"(a*)*b", {"b", "aaab"}, {"a", ""}},
        {"((a|b?)*c){2}", {"cc", "abcbac"}, {"c", "abc"}},
        {"(^)*a($)*", {"a"}, {"aa"}},
    };
    for (Expected const& row : cases) {
        Pattern const pattern(row.pattern, "--variant");
        for (char const* const name : row.matched)
            EXPECT_TRUE(pattern.matches(name)) << row.pattern << " and " << name;
        for (char const* const name : row.not_matched)
            EXPECT_FALSE(pattern.matches(name)) << row.pattern << " and " << name;
    }
}

TEST(BenchPattern, FindsParts) {
    auto const is_in = [](char const* const pattern, char const* const name) {
        return Pattern(pattern, "--only").is_in(name);
    };
    EXPECT_TRUE(is_in("imad", "imad_wide"));
    EXPECT_TRUE(is_in("wide", "imad_wide"));
    EXPECT_TRUE(is_in("d_w", "imad_wide"));
    EXPECT_TRUE(is_in("", "imad"));
    EXPECT_TRUE(is_in("^imad$", "imad"));
    EXPECT_TRUE(is_in("aab", "aaab")) << "the second try begins inside the first";
    EXPECT_FALSE(is_in("^imad$", "imad_wide"));
    EXPECT_FALSE(is_in("^wide", "imad_wide"));
    EXPECT_FALSE(is_in("imad$", "imad_wide"));
    EXPECT_FALSE(is_in("imax", "imad_wide"));
}

TEST(BenchPattern, ARefusalNamesThePositionAndTheReason) {
    auto const expect = [](std::string const& text, std::string const& why) {
        EXPECT_EQ(pattern_rejection(text), "invalid --variant " + text + " (character " + why);
    };
    expect("(?!cub_).*", "1: lookahead and lookbehind are not supported) use except to leave names out");
    expect("a(?=b)", "2: lookahead and lookbehind are not supported) use except to leave names out");
    expect("(?<!a)b", "1: lookahead and lookbehind are not supported) use except to leave names out");
    expect("(?:a)", "1: groups of a special kind are not supported) write ( alone");
    expect("((a)", "1: this ( is not closed) write \\( for the character itself");
    expect("a)b", "2: this ) closes nothing) write \\) for the character itself");
    expect("a|*", "3: nothing stands before this * to be repeated) write \\* for the character itself");
    expect("(+a)", "2: nothing stands before this + to be repeated) write \\+ for the character itself");
    expect("a**", "3: this repeats a repetition) put the first one in parentheses");
    expect("a*?", "3: this repeats a repetition) put the first one in parentheses");
    expect("^*", "2: an end of the name cannot be repeated) write \\* for the character itself");
    expect("a[bc", "2: this [ is not closed) write \\[ for the character itself");
    expect("a[bc-", "2: this [ is not closed) write \\[ for the character itself");
    expect("[]", "1: this set is empty) write \\[ for the character itself");
    expect("[a[:digit:]]", "3: a set inside a set is not supported) write \\[ for the character itself");
    expect("[xc-a]", "3: this range does not go from a character to a later one) write \\- for the character itself");
    expect("[a-\\d]", "2: this range does not go from a character to a later one) write \\- for the character itself");
    expect("a]", "2: this ] closes nothing) write \\] for the character itself");
    expect("a}", "2: this } closes nothing) write \\} for the character itself");
    for (std::string const count : {"{", "{}", "{,2}", "{a}", "{2", "{2,", "{2,a}", "{-1}"})
        expect("a" + count, "2: this { begins no repetition such as {2} or {2,4}) write \\{ for the character itself");
    expect("{2}", "1: nothing stands before this { to be repeated) write \\{ for the character itself");
    expect("a{3,2}", "2: this repetition has a maximum below its minimum) swap the numbers");
    expect("a{101}", "2: more than 100 repetitions) use * or + for any number");
    expect("a{1,99999999999999999999}", "2: more than 100 repetitions) use * or + for any number");
    expect("a\\", "2: nothing follows this \\) write \\\\ for the character itself");
    expect("(a)\\1", "4: \\1 is not supported) choose from \\d, \\w, \\s, \\D, \\W, \\S");
    expect("\\bword", "1: \\b is not supported) choose from \\d, \\w, \\s, \\D, \\W, \\S");
    EXPECT_EQ(pattern_rejection("a\nb"),
              "invalid --variant a\\nb (character 2: not a printable ASCII character) names have "
              "letters, digits and underscores");
    EXPECT_EQ(pattern_rejection(std::string("a\0b", 3)).rfind("invalid --variant a\\x00b (character 2: ", 0), 0u);
    EXPECT_EQ(pattern_rejection("\xc3\xa9").rfind("invalid --variant é (character 1: ", 0), 0u);
}

TEST(BenchPattern, LengthNestingAndSizeHaveLimits) {
    auto const opened = [](std::size_t depth) { return std::string(depth, '(') + "a" + std::string(depth, ')'); };
    EXPECT_EQ(pattern_rejection(opened(Pattern::max_depth)), "no error");
    EXPECT_EQ(pattern_rejection(opened(Pattern::max_depth + 1)),
              "invalid --variant " + opened(21) +
                  " (character 21: more than 20 parentheses inside each other) leave some out");
    EXPECT_TRUE(Pattern(std::string(Pattern::max_length, 'a'), "").matches(std::string(Pattern::max_length, 'a')));
    EXPECT_EQ(pattern_rejection(std::string(Pattern::max_length + 1, 'a')),
              "invalid --variant " + std::string(200, 'a') + "..." + std::string(100, 'a') +
                  " (it has 501 characters, the limit is 500) shorten it");
    for (std::string const unit : {"(", "a|", ".*", "[", "(.*)*", "\\", "\xff"}) {
        std::string text;
        while (text.size() < 100000)
            text += unit;
        std::string const message = pattern_rejection(text);
        EXPECT_NE(message.find("characters, the limit is 500) shorten it"), std::string::npos) << message;
        EXPECT_LT(message.size(), 1500u);
    }
    EXPECT_EQ(pattern_rejection("(((a{50}){50}){50}){50}"),
              "invalid --variant (((a{50}){50}){50}){50} (character 18: the repetitions up to here are too many) use "
              "fewer or smaller repetitions");
    EXPECT_EQ(pattern_rejection("((((){100}){100}){100}){100}"), "no error") << "nothing, however often, is nothing";
    std::string many;
    for (int i = 0; i < 83; ++i)
        many += "a{100}";
    EXPECT_NE(pattern_rejection(many).find("the repetitions up to here are too many"), std::string::npos);
}

TEST(BenchPattern, StepsGrowWithStatesTimesCharacters) {
    std::string const name(60, 'a');
    for (char const* const text : {"(.*)*(.*)*x", "(a*)*(a*)*(a*)*b", "(a|aa)*x", "(a|a)*(a|a)*x", "(.?){40}.{20}x",
                                   "((((a*)*)*)*)*x", "(.*.*.*.*.*)*x"}) {
        Pattern const pattern(text, "--variant");
        EXPECT_FALSE(pattern.matches(name));
        EXPECT_FALSE(pattern.is_in(name));
        EXPECT_LE(pattern.steps(name, false), pattern.states() * (name.size() + 1)) << text;
        EXPECT_LE(pattern.steps(name, true), pattern.states() * (name.size() + 1)) << text;
        EXPECT_LE(pattern.states(), 200u) << text;
    }
    // The longest way through the limits: the most states, none of which fails early.
    Pattern const largest("(.?.?.?.?.?.?.?.?.?.?.?.?.?.?.?.?.?.?.?.?.?.?.?.?){100}x", "--variant");
    EXPECT_GT(largest.states(), Pattern::max_states - 500);
    EXPECT_LE(largest.steps(name, false), largest.states() * (name.size() + 1));
}

// A random pattern over a small alphabet, in the syntax that std::regex has too.
class RandomPattern {
public:
    explicit RandomPattern(std::mt19937& random) : random_(random) {}

    std::string alternatives(int const depth) {
        std::string text = sequence(depth);
        for (unsigned i = below(3); i > 0 && below(2) == 0; --i)
            text += "|" + sequence(depth);
        return text;
    }

private:
    unsigned below(unsigned const count) { return static_cast<unsigned>(random_() % count); }

    std::string sequence(int const depth) {
        std::string text;
        for (unsigned i = below(4); i > 0; --i)
            text += atom(depth) + repetition();
        return text;
    }
    std::string atom(int const depth) {
        static char const* const plain[] = {"a", "b", "_", ".", "1", "[ab]", "[^a]", "[a-b1]", "\\d", "\\w", "\\D"};
        unsigned const choice = below(14);
        if (choice < 11)
            return plain[choice];
        if (choice == 13 && depth < 3)
            return below(2) == 0 ? "(^|a)" : "(b|$)";
        return depth == 3 ? "a" : "(" + alternatives(depth + 1) + ")";
    }
    std::string repetition() {
        static char const* const kinds[] = {"*", "+", "?", "{2}", "{0,2}", "{1,}"};
        return below(3) == 0 ? kinds[below(6)] : "";
    }

    std::mt19937& random_;
};

TEST(BenchPattern, AgreesWithStdRegexOnRandomPatterns) {
    std::mt19937 random(1);
    unsigned matches = 0;
    unsigned parts = 0;
    unsigned names = 0;
    for (int round = 0; round < 500; ++round) {
        std::string const text = RandomPattern(random).alternatives(0);
        std::regex const oracle(text);
        Pattern const pattern(text, "--variant");
        for (int i = 0; i < 8; ++i) {
            std::string name;
            for (auto length = random() % 7; length > 0; --length)
                name += "ab_1"[random() % 4];
            bool const expected = std::regex_match(name, oracle);
            bool const expected_in = std::regex_search(name, oracle);
            ASSERT_EQ(pattern.matches(name), expected) << text << " and " << name;
            ASSERT_EQ(pattern.is_in(name), expected_in) << text << " and " << name;
            ++names;
            matches += expected ? 1 : 0;
            parts += expected_in && !expected ? 1 : 0;
        }
    }
    // Each outcome is frequent, so that the comparison can fail.
    EXPECT_GT(matches, names / 10);
    EXPECT_GT(parts, names / 10);
    EXPECT_GT(names - matches - parts, names / 10);
}

}  // namespace
}  // namespace lockstep::bench
