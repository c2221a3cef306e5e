// Many terms: one per line, in binary, and rewritten together.

#include "common/term_rewriting/language/binary_terms.hpp"
#include "common/term_rewriting/language/together.hpp"
#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {
namespace {

constexpr char const* naturals =
    "sort Nat = Zero() | S(Nat) | Plus(Nat, Nat); Bool = True();\nvar X, Y : Nat;\n"
    "eqn Plus(Zero(), Y) = Y; Plus(S(X), Y) = S(Plus(X, Y));\n";

std::string error_of(std::function<void()> const& work) {
    try {
        work();
    } catch (bench::Error const& error) {
        return error.what();
    }
    return "no error";
}

std::string binary_of(System const& system, std::vector<TermId> const& terms) {
    std::string bytes;
    write_binary_terms(system, system.terms, terms, [&](std::string_view piece) { bytes += piece; });
    return bytes;
}

TEST(Lines, AreOneTermEach) {
    System system = parse_text(naturals);
    std::vector<TermId> const terms = parse_terms(system, "% three terms\n\nZero\nS(\n Zero());\n  True\n", "--terms");
    ASSERT_EQ(terms.size(), 3u);
    EXPECT_EQ(to_string(system, terms[1]), "S(Zero)");
    EXPECT_TRUE(parse_terms(system, "\n% none\n", "--terms").empty());
    EXPECT_EQ(error_of([&] { parse_terms(system, "Zero\nZero Zero\n", "file"); }),
              "file:2:6: cannot read this (expected the end of the line, found Zero)");
    EXPECT_EQ(error_of([&] { parse_terms(system, "Zero\nX\n", "file"); }).rfind("file:2:1: unknown symbol X", 0), 0u);
    EXPECT_EQ(system.files.size(), 1u);
}

TEST(Binary, TermsComeBackWithTheirSharing) {
    System system = parse_text(naturals);
    TermId tall = parse_term(system, "S(Zero)", "term");
    for (int i = 0; i < 100; ++i) {
        TermId const both[] = {tall, tall};
        tall = system.terms.application(2, both);
    }
    std::vector<TermId> const terms = {tall, parse_term(system, "True", "term"), tall};
    std::string const bytes = binary_of(system, terms);
    EXPECT_LT(bytes.size(), 2000u);  // 2^100 symbols as a tree
    ASSERT_TRUE(is_binary_terms(bytes));
    System other = parse_text(std::string(naturals) + "input Zero;");
    std::vector<TermId> const again = read_binary_terms(other, bytes, "bytes");
    ASSERT_EQ(again.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_TRUE(equal_terms(system.terms, terms[i], other.terms, again[i]));
    EXPECT_EQ(binary_of(other, again), bytes);
    EXPECT_TRUE(read_binary_terms(other, binary_of(system, {}), "bytes").empty());
}

// A shared part that rules may rewrite is told apart from a shared normal form.
TEST(Binary, SharedRedexesAreNoticed) {
    System system = parse_text(naturals);
    TermId const sum = parse_term(system, "S(Plus(Zero, Zero))", "term");
    TermId const form = parse_term(system, "S(S(Zero))", "term");
    auto const shares = [&](std::vector<TermId> const& terms) {
        System other = parse_text(naturals);
        read_binary_terms(other, binary_of(system, terms), "bytes");
        return other.shares_redexes;
    };
    EXPECT_FALSE(shares({sum}));
    EXPECT_FALSE(shares({form, form, sum}));
    EXPECT_TRUE(shares({sum, sum}));
    TermId const both[] = {sum, sum};
    EXPECT_TRUE(shares({system.terms.application(2, both)}));
    TermId const two[] = {form, sum};
    EXPECT_FALSE(shares({system.terms.application(2, two)}));
}

TEST(Binary, HasTheDocumentedBytes) {
    System system = parse_text(naturals);
    using namespace std::string_literals;
    EXPECT_EQ(binary_of(system, {parse_term(system, "S(Zero)", "term")}),
              "LSTERMS1"
              "\2\0\0\0"
              "\0\0\0\0\4\0\0\0Zero"
              "\1\0\0\0\1\0\0\0S"
              "\2\0\0\0\0\0\0\0"
              "\0\0\0\0"
              "\1\0\0\0\0\0\0\0"
              "\1\0\0\0\0\0\0\0"
              "\1\0\0\0"s);
}

TEST(Binary, WrongBytesAreRefused) {
    System system = parse_text(naturals);
    std::string const bytes = binary_of(system, {parse_term(system, "Plus(S(Zero), Zero)", "term")});
    auto const error = [&](std::string const& wrong) {
        return error_of([&] { read_binary_terms(system, wrong, "file"); });
    };
    for (std::size_t size = 8; size < bytes.size(); ++size)
        EXPECT_EQ(error(bytes.substr(0, size)).rfind("file: byte ", 0), 0u) << size;
    EXPECT_EQ(error(bytes + "x"),
              "file: byte " + std::to_string(bytes.size()) + ": there are bytes after the last term");
    // Every number too large, one at a time: nothing reads or allocates beyond the file.
    for (std::size_t at = 8; at + 4 <= bytes.size(); ++at) {
        std::string wrong = bytes;
        wrong.replace(at, 4, "\xff\xff\xff\x7f");
        EXPECT_NE(error(wrong), "no error") << at;
    }
    EXPECT_NE(error("LSTERMS1").find("expected a number of 4 bytes"), std::string::npos);
    System const other = parse_text("sort T = Zero() | S(T, T);");
    System copy = other;
    EXPECT_NE(error_of([&] { read_binary_terms(copy, bytes, "file"); }).find("with 2"), std::string::npos);
    // True where a Nat is expected: the symbols' names have the same length.
    std::string sorts = binary_of(system, {parse_term(system, "S(Zero)", "term")});
    sorts.replace(sorts.find("Zero"), 4, "True");
    EXPECT_NE(error(sorts).find("an argument of S is of sort Bool (expected sort Nat)"), std::string::npos);
}

TEST(Together, OneRunOfEveryEngineRewritesAllTerms) {
    for (std::size_t const count : {1, 2, 3, 7, 64, 65}) {
        System system = parse_text(naturals);
        std::string text;
        std::string expected;
        for (std::size_t i = 0; i < count; ++i) {
            std::string number = "Zero";
            for (std::size_t j = 0; j < i % 5; ++j)
                number = "S(" + number + ")";
            text += i % 3 == 2 ? "True\n" : "Plus(S(Zero), " + number + ")\n";
            expected += (i == 0 ? "" : "\n") + (i % 3 == 2 ? "True" : "S(" + number + ")");
        }
        Together const together(system, parse_terms(system, text, "terms"));
        for (NamedEngine const& named : all_engines(system)) {
            named.engine->load(system.terms, together.term());
            Outcome const outcome = named.engine->run(test_limits());
            ASSERT_EQ(outcome.end, End::finished) << named.name;
            EXPECT_EQ(outcome.rewrites(), 2 * (count - count / 3)) << named.name;
            std::string lines;
            named.engine->write_normal_form(plain_style(system),
                                            together.lines([&](std::string_view piece) { lines += piece; }));
            EXPECT_EQ(lines, expected) << named.name;
            named.engine->run(test_limits());
            Terms terms;
            EXPECT_EQ(together.apart(terms, named.engine->normal_form(terms)).size(), count) << named.name;
        }
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
