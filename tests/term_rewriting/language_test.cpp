// Both languages: accepted texts, and the location and reason of each error.

#include "baselines/term_rewriting/emit.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/parse_any.hpp"

namespace lockstep::term_rewriting {
namespace {

std::string error_of(std::string const& text, std::string const& name) {
    try {
        parse_text(text, name);
    } catch (bench::Error const& error) {
        return error.what();
    }
    return "no error";
}

struct Wrong {
    std::string text;
    std::string location;  // line:column
    std::string says;
};

std::string const head = "sort Nat = Zero() | S(Nat) | F(Nat, Nat); Bool = True();\nvar X, Y : Nat; B : Bool;\n";

TEST(PaperLanguage, ErrorsNameTheirLocationAndWhatWasExpected) {
    std::vector<Wrong> const wrongs = {
        {"sort Nat = Zero() | ;\n", "1:21", "expected a symbol, found ;"},
        {"sort Nat = Zero()\n", "2:1", "expected | or ;, found the end of the text"},
        {"sort Nat = S(Nut);\n", "1:14", "unknown sort Nut"},
        {"sort Nat = Zero() | Zero();\n", "1:21", "symbol Zero is declared twice"},
        {"sort Nat = Zero();\nvar Zero : Nat;\n", "2:5", "variable Zero is declared twice"},
        {"nonsense", "1:1", "expected sort, var, eqn or input"},
        {"sort Nat = ?;", "1:12", "unexpected character ?"},
        {head + "eqn F(Zero(), X) = G(X);\n", "3:20", "unknown symbol G"},
        {head + "eqn F(Zero(), X) = Sero();\n", "3:20", "did you mean Zero?"},
        {head + "eqn F(Zero()) = Zero();\n", "3:5", "expected F(Nat, Nat) with 2, found 1"},
        {head + "eqn F(X, Y, Y) = Zero();\n", "3:5", "expected F(Nat, Nat) with 2, found more"},
        {head + "eqn F(X, Y) = S;\n", "3:15", "expected S(Nat) with 1, found none"},
        {head + "eqn F(X, Y) = S(True());\n", "3:17", "expected a term of sort Nat, found one of sort Bool"},
        {head + "eqn F(X, Y) = True();\n", "3:15", "expected a term of sort Nat, found one of sort Bool"},
        {head + "eqn F(X, B) = X;\n", "3:10", "expected a term of sort Nat"},
        {head + "eqn X = Zero();\n", "3:5", "the left side is the variable X"},
        {head + "eqn F(X, Zero()) = Y;\n", "3:20", "free variable Y"},
        {head + "eqn F(X, Y) = X\ninput Zero();\n", "4:1", "expected ;"},
        {head + "eqn F(X, Y = X;\n", "3:12", "expected , or ), found ="},
        {head + "input F(Zero(), X);\n", "3:17", "variable X in a closed term"},
        {head + "input ;\n", "3:7", "expected a term, found ;"},
    };
    for (Wrong const& wrong : wrongs) {
        std::string const error = error_of(wrong.text, "wrong.trs");
        EXPECT_EQ(error.rfind("wrong.trs:" + wrong.location + ": ", 0), 0u) << wrong.text << "\n" << error;
        EXPECT_NE(error.find(wrong.says), std::string::npos) << wrong.text << "\n" << error;
    }
}

TEST(RecLanguage, ErrorsNameTheirLocationAndWhatWasExpected) {
    std::string const spec = "REC-SPEC X\nSORTS\n  N\nCONS\n  z : -> N\nOPNS\n  f : N N -> N\nVARS\n  x y : N\n";
    std::vector<Wrong> const wrongs = {
        {"SORTS\n N\n", "1:1", "expected REC-SPEC"},
        {"REC-SPEC X\n N\n", "2:2", "expected SORTS, CONS"},
        {"REC-SPEC X\nSORTS\n N\n", "4:1", "expected END-SPEC"},
        {"END-SPEC\n", "1:1", "END-SPEC without REC-SPEC"},
        {spec + "RULES\n  f(x, y) = x\nEND-SPEC\n", "11:11", "expected ->, found ="},
        {spec + "RULES\n  f(x, y) -> x if x\nEND-SPEC\n", "11:20", "expected -><- or ->/<-"},
        {spec + "RULES\n  f(x, y) -> x y\nEND-SPEC\n", "11:16", "expected if or the end of the line"},
        {spec + "RULES\n  x -> z\nEND-SPEC\n", "11:3", "the left side is the variable x"},
        {spec + "RULES\n  f(x, z) -> x if y -><- x\nEND-SPEC\n", "11:19", "free variable y"},
        {spec + "EVAL\n  f(z z)\nEND-SPEC\n", "11:7", "expected , or )"},
        {spec + "CONS\n  g N -> N\nEND-SPEC\n", "11:7", "a symbol"},
        {"#include \"nothing\n", "1:1", "an include without a file"},
        {"#include \"wrong.rec\"\n", "1:1", "cannot include wrong.rec (it includes itself)"},
    };
    for (Wrong const& wrong : wrongs) {
        std::string const error = error_of(wrong.text, "wrong.rec");
        EXPECT_EQ(error.rfind("wrong.rec:" + wrong.location + ": ", 0), 0u) << wrong.text << "\n" << error;
        EXPECT_NE(error.find(wrong.says), std::string::npos) << wrong.text << "\n" << error;
    }
}

TEST(RecLanguage, AMissingIncludeIsNamed) {
    try {
        parse_system("outer.rec", [](std::string const& path) -> std::string {
            if (path != "outer.rec")
                throw bench::Error("cannot read " + path, "no such file");
            return "REC-SPEC X\n#include \"inner.rec\"\nEND-SPEC\n";
        });
        FAIL();
    } catch (bench::Error const& error) {
        EXPECT_EQ(std::string(error.what()).rfind("outer.rec:2:1: cannot include inner.rec", 0), 0u) << error.what();
    }
}

// The texts are made by the reader, so a file that includes others costs nothing but the reads that are counted.
TEST(RecLanguage, IncludesAreBounded) {
    std::size_t reads = 0;
    auto const error_of_includes = [&](std::function<std::string(std::string const&)> const& text_of) {
        reads = 0;
        try {
            parse_system("0.rec", [&](std::string const& path) { return ++reads, text_of(path); });
        } catch (bench::Error const& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    auto const include = [](std::string const& name) { return "#include \"" + name + "\"\n"; };
    auto const next = [](std::string const& path) { return std::to_string(std::stoi(path) + 1) + ".rec"; };

    EXPECT_EQ(error_of_includes([&](std::string const& path) { return include(path == "0.rec" ? "1.rec" : "0.rec"); }),
              "1.rec:1:1: cannot include 0.rec (it includes itself) Remove one of the includes.");
    EXPECT_EQ(reads, 2u);
    // A cycle through other names for the same file.
    EXPECT_NE(error_of_includes([&](std::string const&) { return include("./0.rec"); }).find("includes go too deep"),
              std::string::npos);
    EXPECT_EQ(reads, 33u);
    // 31 files, each of which includes the next one twice: 2^31 reads.
    EXPECT_NE(error_of_includes([&](std::string const& path) {
                  return path == "30.rec" ? "" : include(next(path)) + include(next(path));
              }).find("too many includes (more than 1000)"),
              std::string::npos);
    EXPECT_EQ(reads, 1001u);
    // Two files that include the same one are no cycle.
    EXPECT_EQ(error_of_includes([&](std::string const& path) {
                  return path == "0.rec"   ? "REC-SPEC X\n" + include("1.rec") + include("2.rec") + "END-SPEC\n"
                         : path == "3.rec" ? "% shared\n"
                                           : include("3.rec");
              }),
              "no error");
}

TEST(Languages, ATermOfAnotherTextIsAddedOrRejected) {
    System system = parse_text(head + "input Zero();\n");
    EXPECT_EQ(to_string(system, parse_term(system, "F(S(Zero), Zero())", "--term")), "F(S(Zero),Zero)");
    EXPECT_THROW(parse_term(system, "F(S(Zero)", "--term"), bench::Error);
    EXPECT_THROW(parse_term(system, "Zero Zero", "--term"), bench::Error);
    EXPECT_EQ(system.symbols.size(), 4u);
    EXPECT_EQ(system.inputs.size(), 1u);
}

// Reads, rewrites (although they are already normal) and prints a spine a million symbols deep and a tree of the same
// size.
TEST(Languages, LargeTermsNeedNoRecursion) {
    System const declared = parse_text("sort T = z() | s(T) | n(T, T) | f(T);\nvar X : T;\neqn f(s(X)) = X;\n");
    constexpr std::size_t depth = sanitized ? 200000 : 1000000;  // at 40 bytes per level, a recursion would need 8 MB
    std::string spine;
    for (std::size_t i = 0; i < depth; ++i)
        spine += "s(";
    spine += "z" + std::string(depth, ')');
    std::string tree = "z";
    while (tree.size() < 2 * depth)
        tree = "n(" + tree + "," + tree + ")";
    for (std::string const& text : {spine, tree}) {
        System system = declared;
        TermId const plain = parse_term(system, text, "term");
        EXPECT_EQ(to_string(system, plain), text);
        TermId const input = parse_term(system, "f(s(f(s(" + text + "))))", "term");
        std::unique_ptr<Engine> const oracle = make_oracle(system);
        Ran const ran = run_engine(*oracle, system.terms, input);
        EXPECT_EQ(ran.outcome.rewrites(), 2u);
        EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, system.terms, plain));
    }
}

// Every text of the source tree, complete, truncated anywhere and with one byte replaced, is read or rejected.
TEST(Languages, BrokenTextsAreRejected) {
    std::size_t whole = 0;
    std::size_t rejected = 0;
    for (std::string const& folder : {systems_folder, std::string("tests/term_rewriting/corpus/")}) {
        for (auto const& entry : std::filesystem::directory_iterator(folder)) {
            std::string const text = bench::read_file(entry.path()).substr(0, 3000);
            bool const rec = entry.path().extension() == ".rec";
            whole += parse_any(bench::read_file(entry.path()), rec) ? 1 : 0;
            parse_any(text, !rec);
            std::size_t const step = 1 + text.size() / 40;
            for (std::size_t at = 0; at < text.size(); at += step) {
                rejected += parse_any(text.substr(0, at), rec) ? 0 : 1;
                std::string changed = text;
                changed[at] = "(),;:=|->%#\"x"[at % 13];
                rejected += parse_any(changed, rec) ? 0 : 1;
            }
        }
    }
    EXPECT_GE(whole, 28u);
    EXPECT_GE(rejected, 500u);
}

TEST(Terms, AreEqualAsTrees) {
    Terms a;
    TermId const zero = a.application(0, {});
    TermId const twice[] = {zero, zero};
    TermId const shared = a.application(1, twice);
    Terms b;
    TermId const zeros[] = {b.application(0, {}), b.application(0, {})};
    TermId const apart = b.application(1, zeros);
    EXPECT_TRUE(equal_terms(a, shared, b, apart));
    EXPECT_EQ(digest_of(a, shared), digest_of(b, apart));
    EXPECT_FALSE(equal_terms(a, zero, b, apart));
    EXPECT_NE(digest_of(a, zero), digest_of(b, apart));
    // 2^100 symbols as a tree, but 100 nodes as a graph.
    TermId tall = zero;
    for (int i = 0; i < 100; ++i) {
        TermId const both[] = {tall, tall};
        tall = a.application(1, both);
    }
    EXPECT_TRUE(equal_terms(a, tall, a, tall));
    EXPECT_EQ(tree_size(a, tall), ~std::uint64_t{0});
    EXPECT_EQ(tree_size(a, shared), 3u);
}

TEST(MaudeNames, Differ) {
    EXPECT_EQ(maude_name("plus"), "plus");
    EXPECT_EQ(maude_name("is_a"), "is-ua");
    EXPECT_EQ(maude_name("x'"), "x-q");
    EXPECT_EQ(maude_name("true"), "true-r");
}

}  // namespace
}  // namespace lockstep::term_rewriting
