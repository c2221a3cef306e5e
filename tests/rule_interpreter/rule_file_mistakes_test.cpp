// A bad rule file or column gets one line with the place and the reason.

#include <filesystem>

#include "tests/rule_interpreter/rule_files.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

class RuleFileMistakes : public RuleFiles {};

TEST_F(RuleFileMistakes, MistakesInDeclarationsHaveALine) {
    std::string const rule = valid_rule;
    auto const at = [](std::string const& line, std::string const& why) {
        return "invalid own.rules line " + line + " (" + why;
    };
    EXPECT_TRUE(has(error_of_rules("column u32 a[3];\n"), "no rules in own.rules"))
        << error_of_rules("column u32 a[3];\n");
    EXPECT_TRUE(has(error_of_rules("rule R { }\n"), "no columns"));
    EXPECT_TRUE(has(error_of_rules("\ncolumn u23 a[3];\n" + rule), at("2", "unknown type u23) did you mean u32?")));
    EXPECT_TRUE(
        has(error_of_rules("column u32 a[3];\n\ncolumn f32 a[3];\n" + rule), at("3", "the name a is declared twice")));
    EXPECT_TRUE(has(error_of_rules("column u32 a[3];\n" + rule + rule), at("4", "the name R is declared twice")));
    EXPECT_TRUE(has(error_of_rules("column u32 a[2 - 2];\n" + rule), at("1", "the size 2-2 of column a: it is 0")));
    EXPECT_TRUE(has(error_of_rules("column u32 a[65536 * 65536];\n" + rule), "must be from 1 to 4294967295"));
    EXPECT_TRUE(has(error_of_rules("column u32 a[n];\n" + rule), "no parameter n"));
    EXPECT_TRUE(has(error_of_rules("column u32 a[4 / (1 - 1)];\n" + rule), "it divides by 0"));
    EXPECT_TRUE(has(error_of_rules("column u32 a[(4];\n" + rule), "this ] does not close the ( of line 1"));
    EXPECT_TRUE(has(error_of_rules("column u32 a;\n" + rule), at("1", "expected [) Write column TYPE NAME[SIZE]")));
    EXPECT_TRUE(
        has(error_of_rules("parameter u32 n = many;\ncolumn u32 a[1];\n" + rule), at("1", "the value many of")));
    EXPECT_TRUE(has(error_of_rules("parameter i32 n = 2147483648;\ncolumn u32 a[1];\n" + rule), "from -2147483648"));
    EXPECT_TRUE(has(error_of_rules("column u32 seed[3];\n"), at("1", "the name seed has a meaning already")));
    EXPECT_TRUE(has(error_of_rules("column u32 b[3];\n" + rule), at("2", "unknown column a")));
    EXPECT_TRUE(has(error_of_rules("column u32 a[3];\n\n" + rule + "}\n"), at("5", "there is no { for this }")));
    EXPECT_TRUE(has(error_of_rules("column u32 a[3];\nrule R over a {\n"), at("2", "this { is not closed")));
    EXPECT_TRUE(has(error_of_rules("#include <vector>\n" + rule), at("1", "a rule file cannot include a header")));
    EXPECT_TRUE(has(error_of_rules("column u32 a[];\n" + rule), "Add --column a=FILE.npy."));
    for (char const* const brackets : {"()", "[]", "{}"}) {
        std::string const deep = std::string(256, brackets[0]) + "1" + std::string(256, brackets[1]);
        if (brackets[0] == '(') {
            EXPECT_EQ(error_of_rules("column u32 a[3] = " + deep + ";\n" + rule), "no error");
        }
        EXPECT_TRUE(has(error_of_rules("\ncolumn u32 a[3] = (" + deep + ");\n" + rule),
                        at("2", "more than 256 brackets inside one another")));
    }
    EXPECT_TRUE(has(error_of_rules("column u32 b[3];\ncolumn u32 a[1\n0];\n" + rule),
                    at("3", "the size has two numbers or names side by side) Write + - * or /")));
    EXPECT_EQ(error_of_rules("parameter u32 n = 3; // three\nparameter u32 m = 4 /* four */;\n"
                             "column u32 a[n /* of one */ + m  // and of the other\n] = i; // x\n" +
                             rule),
              "no error");
    EXPECT_EQ(error_of_rules("parameter u32 n = // none\n 3;\ncolumn u32 a[n /**/] = (1, 2);\n" + rule), "no error");
    EXPECT_TRUE(has(error_of_rules("column u32 b[3] = min(1, i);\ncolumn u32 a[4] = 1, 2;\n" + rule),
                    at("2", "the initial value of column a has a comma outside of brackets")));
    for (char const* const word : {"and", "not_eq", "requires", "nullptr", "constexpr", "static_cast", "co_await"})
        EXPECT_TRUE(has(error_of_rules("column u32 " + std::string(word) + "[3];\n" + rule),
                        at("1", "the name " + std::string(word) + " has a meaning already")));
    std::string many;
    for (int i = 0; i < 33; ++i)
        many += "column u32 c" + std::to_string(i) + "[1];\n";
    EXPECT_TRUE(has(error_of_rules(many + rule), at("33", "more than 32 columns")));
}

TEST_F(RuleFileMistakes, MistakesInCodeHaveTheUsersLine) {
    std::string const good = "column u32 a[3] = 1;\n\n";
    for (simt::Machine const machine : lockstep::tests::machines_under_test()) {
        Work work;
        work.machine = machine;
        auto const error = [&](std::string const& text) { return error_of_rules(text, work); };
        std::string const syntax = error(good +
                                         "rule R over a {\n    bool condition(State const& s, u32 i) { return true; }\n"
                                         "    bool evaluate(State& s, u32 i) {\n        return s.a[i] +\n    }\n}\n");
        EXPECT_TRUE(has(syntax, "cannot compile own.rules line 7 (")) << syntax;
        EXPECT_EQ(syntax.find('\n'), syntax.npos);
        std::string const missing =
            error(good + "rule R over a {\n bool condition(State const& s, u32 i) { return 1; } }");
        EXPECT_TRUE(has(missing, "line 3 (") && has(missing, "rule R needs bool evaluate(State& s, u32 i)")) << missing;
        std::string const no_range = error(
            "column u32 a[3];\nrule R { bool condition(State const& s, u32 i) { return 1; }\n"
            "bool evaluate(State& s, u32 i) { return 0; } }");
        EXPECT_TRUE(has(no_range, "rule R needs over COLUMN, or u32 range(State const& s)")) << no_range;
        std::string const two_ranges = error(
            "column u32 a[3];\nrule R over a { u32 range(State const& s) { return 2; }\n"
            "bool condition(State const& s, u32 i) { return 1; }\n"
            "bool evaluate(State& s, u32 i) { return 0; } }");
        EXPECT_TRUE(has(two_ranges, "cannot compile own.rules line 2 (") &&
                    has(two_ranges, "rule R has over a and range(); leave one out"))
            << two_ranges;
        for (char const* const constant : {"number", "seed", "n"}) {
            std::string const set = error("parameter u32 n = 3;\n" + good +
                                          "rule R over a {\n bool condition(State const& s, u32 i) { return 1; }\n"
                                          " bool evaluate(State& s, u32 i) { s." +
                                          constant + " = 3; return true; } }");
            EXPECT_TRUE(has(set, "cannot compile own.rules line 6 (")) << set;
        }
        std::string const value =
            error("column u32 b[2];\ncolumn u32 a[3] =\n    s.unknown[i];\n" + std::string(valid_rule));
        EXPECT_TRUE(has(value, "cannot compile own.rules line 3 (")) << value;
        std::string const assigned = error(good +
                                           "rule R over a {\n bool condition(State const& s, u32 i) { return 1; }\n"
                                           " bool evaluate(State& s, u32 i) { s.a[i] = 3; return true; } }");
        EXPECT_TRUE(has(assigned, "cannot compile own.rules line 5 (")) << assigned;
    }
}

TEST_F(RuleFileMistakes, TheEmulatorNamesTheLineOfAWrongIndex) {
    Work work;
    work.machine = simt::Machine::emulator;
    std::string const text =
        "column u32 a[3];\nrule R over a {\n  bool condition(State const& s, u32 i) {\n    return s.a[i + 1] == 0;\n  "
        "}\n"
        "  bool evaluate(State& s, u32 i) { return false; }\n}\n";
    std::string const found = error_of_rules(text, work);
    EXPECT_TRUE(has(found, "cannot run own.rules (") &&
                has(found, "index outside the column: it has 3 values, and the index is 3;") && has(found, "at line 4"))
        << found;
}

TEST_F(RuleFileMistakes, TheReferenceNamesTheColumnTheIndexAndTheLine) {
    auto const found = [](std::string const& index, unsigned line, std::string const& column = "cell has 9") {
        return "cannot run own.rules (index outside the column: " + column + " values, and the index is " + index +
               "; in state 0, at line " + std::to_string(line) + ") Correct the rule file.";
    };
    auto const error = [](std::string const& text) { return error_of_rules(text, sequential_work()); };
    std::string const nothing = "return false;";
    EXPECT_EQ(error(rule_over_cell("return s.cell[i - 1] == 3;", nothing)), found("4294967295", 5));
    EXPECT_EQ(error(rule_over_cell("return s.cell[i + s.cell.size()] == 3;", nothing)), found("9", 5));
    EXPECT_EQ(error(rule_over_cell("return s.cell[static_cast<i32>(i) - 1] == 3;", nothing)), found("-1", 5));
    EXPECT_EQ(error(rule_over_cell("return i == 4;", "return s.before[i] == 3;")), found("4", 8, "before has 4"));
    EXPECT_EQ(error(rule_over_cell("return i == 8;", "s.cell.set(i + 1, 3);\nreturn true;")), found("9", 8));
    EXPECT_EQ(error("column u32 cell[9];\ncolumn u32 next[9] =\n  s.cell[i + 1];\n" +
                    std::string("rule R over cell { bool condition(State const& s, u32 i) { return false; }\n"
                                "bool evaluate(State& s, u32 i) { return false; } }\n")),
              found("9", 3));
    EXPECT_EQ(error("column u32 cell[9];\nrule R {\nu32 range(State const& s) { return s.cell[9]; }\n"
                    "bool condition(State const& s, u32 i) { return false; }\n"
                    "bool evaluate(State& s, u32 i) { return false; } }\n"),
              found("9", 3));
    // The same with indices inside.
    EXPECT_EQ(error(rule_over_cell("return s.cell[i == 0 ? 8 : i - 1] == 3;", nothing)), "no error");
    EXPECT_EQ(error(rule_over_cell("return s.cell[(i + s.cell.size()) % 9] == 3;", nothing)), "no error");
    EXPECT_EQ(error(rule_over_cell("return i == 3;", "return s.before[i] == 3;")), "no error");
    EXPECT_EQ(error(rule_over_cell("return i == 7;", "s.cell.set(i + 1, 3);\nreturn true;")), "no error");
}

TEST_F(RuleFileMistakes, TheReferenceNamesTheStateOfAWrongIndex) {
    std::string const text = rule_over_cell("return s.cell[s.number == 5 ? 9 : i] == 3;", "return false;");
    for (std::uint64_t const batch : {0, 1, 4}) {
        Work work = sequential_work(7);
        work.batch = batch;
        std::string const found = error_of_rules(text, work);
        EXPECT_TRUE(has(found, "in state 5, at line 5")) << found;
    }
    EXPECT_EQ(error_of_rules(text, sequential_work(5)), "no error");
}

// Also if they set the same number, in which case all machines agree.
TEST_F(RuleFileMistakes, TheReferenceRefusesAValueThatTwoInstancesSet) {
    Work work = sequential_work(3);
    work.passes = 3;
    auto const error = [&](std::string const& evaluation) {
        return error_of_rules(rule_over_cell("return i >= (s.number == 2 ? 3 : 8);", evaluation), work);
    };
    for (std::uint64_t const batch : {0, 1, 2}) {
        work.batch = batch;
        for (char const* const value : {"7", "i"})
            EXPECT_EQ(
                error("s.before.set(1, " + std::string(value) + ");\nreturn false;"),
                "cannot run own.rules (two instances of a rule set the same value: before[1] by 3 and 4; in state "
                "2, at line 8) Let each instance set values of its own.");
        EXPECT_TRUE(
            has(error("s.cell.set(i, 1);\ns.cell.set(i == 8 ? 5 : i, 1);\nreturn true;"), "cell[5] by 5 and 8"));
        // An instance may set a value twice, and one that no other sets; other rules, passes and states may set it.
        EXPECT_EQ(error("s.cell.set(i, 1);\ns.cell.set(i, 2);\nreturn true;"), "no error");
        EXPECT_EQ(error("s.cell.set(8 - i, 1);\nreturn true;"), "no error");
        EXPECT_EQ(
            error_of_rules(rule_over_cell("return i == 4;", "s.before.set(1, 7);\nreturn true;") +
                               "rule Second over before { bool condition(State const& s, u32 i) { return true; }\n"
                               "bool evaluate(State& s, u32 i) { s.before.set(i, 7); return true; } }\n",
                           work),
            "no error");
    }
}

// Far beyond the memory of a machine.
TEST_F(RuleFileMistakes, AStateThatDoesNotFitIsAnError) {
    std::string text = "column u32 a[3];\n";
    for (int i = 0; i < 31; ++i)
        text += "column f64 b" + std::to_string(i) + "[4294967295];\n";
    std::vector<Work> works = {sequential_work()};
    for (simt::Machine const machine : lockstep::tests::machines_under_test()) {
        works.emplace_back();
        works.back().machine = machine;
    }
    for (Work const& work : works) {
        std::string const found = error_of_rules(text + valid_rule, work);
        EXPECT_TRUE(found.starts_with("not enough memory for a state (it takes ") &&
                    found.ends_with(" are free) Make the columns smaller."))
            << found;
    }
}

TEST_F(RuleFileMistakes, ARuleWithoutAResultIsRefused) {
    for (Work const& work : {Work(), sequential_work()}) {
        std::string const error = error_of_rules(rule_over_cell("s.cell[i];", "return false;"), work);
        EXPECT_TRUE(has(error, "cannot compile own.rules line 6 (") && has(error, "return")) << error;
    }
}

TEST_F(RuleFileMistakes, ColumnsFromFilesAreChecked) {
    std::string const text = "column u32 a[3];\ncolumn f64 b[];\n" + std::string(valid_rule);
    std::vector<std::uint32_t> const six = {1, 2, 3, 4, 5, 6};
    std::string const good = write("good.npy", Type::u32, 2, six);
    std::string const b = write("b.npy", Type::f64, 2, std::vector<double>{1, 2});
    auto const error = [&](std::string const& file, std::uint64_t states = 0) {
        Work work;
        work.states = states;
        work.columns = {{"a", file}, {"b", b}};
        return error_of_rules(text, work);
    };
    auto const changed = [&](std::string const& from, std::string const& to) {
        std::string bytes = bench::read_file(good);
        bytes.replace(bytes.find(from), from.size(), to);
        bench::write_file_atomically(path("bad.npy"), bytes);
        return error(path("bad.npy"));
    };
    EXPECT_EQ(error(good), "no error");
    EXPECT_EQ(error(good, 2), "no error");
    EXPECT_TRUE(has(error(good, 3), "it has 2 states, and --states has 3"));
    EXPECT_TRUE(has(changed("<u4", "<i4"), "its type is i32, and the column's is u32"));
    EXPECT_TRUE(has(changed("<u4", ">u4"), "the type >u4 is not one of"));
    EXPECT_TRUE(has(changed("(2, 3)", "(3, 2)"), "The shape must be (states, 3)."));
    EXPECT_TRUE(has(changed("(2, 3)", "(4, 3)"), "and it has 24 bytes of values"));
    EXPECT_TRUE(has(changed("(2, 3)", "(6,  )"), "the column's size is 3"));
    EXPECT_TRUE(has(changed("False", "True "), "Fortran order"));
    EXPECT_TRUE(has(changed("NUMPY\x01", "NUMPY\x09"), "its version is not"));
    EXPECT_TRUE(has(changed("'shape'", "'descr'"), "is there twice"));
    EXPECT_TRUE(has(error(path("nowhere.npy")), "cannot read"));
    EXPECT_TRUE(has(error(folder_.path().string()), "it is a folder"));
    bench::write_file_atomically(path("raw"), std::string(23, 'x'));
    EXPECT_TRUE(has(error(path("raw")), "it has 23 bytes, and a state has 12"));
    std::string const whole = bench::read_file(good);
    for (std::size_t const bytes :
         {std::size_t{0}, std::size_t{5}, std::size_t{9}, std::size_t{60}, whole.size() - 1}) {
        bench::write_file_atomically(path("short.npy"), whole.substr(0, bytes));
        EXPECT_TRUE(has(error(path("short.npy")), "cannot read")) << bytes;
    }
    bench::write_file_atomically(path("long.npy"), whole + "x");
    EXPECT_TRUE(has(error(path("long.npy")), "and it has 25 bytes of values"));
}

// numpy's own bytes for numpy.save of numpy.arange(2, dtype='<u4').
TEST_F(RuleFileMistakes, TheHeadIsThatOfNumpy) {
    NpyHead const head =
        parse_npy_head(std::string("\x93NUMPY\x01\x00v\x00", 10) +
                           "{'descr': '<u4', 'fortran_order': False, 'shape': (2,), }" + std::string(60, ' ') + "\n",
                       "numpy.npy");
    EXPECT_EQ(head.bytes, 128u);
    EXPECT_EQ(head.shape.states, 2u);
    EXPECT_EQ(head.shape.size, 1u);
    EXPECT_EQ(npy_head({Type::f64, 12, 34}).size(), 128u);
}

// A failed run leaves an existing file as it was, and no scratch file.
TEST_F(RuleFileMistakes, ResultsAreWrittenWholeOrNotAtAll) {
    bench::write_file_atomically(path("a.npy"), "before");
    Work emulated;
    emulated.machine = simt::Machine::emulator;
    std::string const text =
        "column u32 a[3];\nrule R over a { bool condition(State const& s, u32 i) { return s.a[~0u] == 0; }\n"
        "bool evaluate(State& s, u32 i) { s.a.set(i, 1); return true; } }\n";
    std::vector<Work> works = {emulated, sequential_work()};
#if !defined(__SANITIZE_THREAD__)
    works.emplace_back();
#endif
    for (Work work : works) {
        work.out = {{"a", path("a.npy")}};
        EXPECT_NE(error_of_rules(text, work), "no error");
        EXPECT_EQ(bench::read_file(path("a.npy")), "before");
        auto const entries = std::filesystem::directory_iterator(folder_.path());
        EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
    }
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
