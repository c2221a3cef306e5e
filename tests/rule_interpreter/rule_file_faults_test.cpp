// Signals that rules and initial values raise become one line, and initial values read what is known.

#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "experiments/rule_interpreter/rule_file_code.hpp"
#include "harness/jit/shared_object.hpp"
#include "harness/jit/whole_text.hpp"
#include "tests/rule_interpreter/rule_files.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

class RuleFileFaults : public RuleFiles {
protected:
    void SetUp() override {
        RuleFiles::SetUp();
        if (under_thread_sanitizer)
            GTEST_SKIP() << "ThreadSanitizer takes the signals of faults, and maps many addresses that are wrong";
    }

    // All cores, the reference, and the emulator.
    static std::vector<Work> works() {
        Work emulated;
        emulated.machine = simt::Machine::emulator;
        return {Work(), sequential_work(), emulated};
    }
};

std::string const outside = " reads or writes outside of ";
std::string const nothing = "bool evaluate(State& s, u32 i) { return false; } }\n";

// All cores do not check: an index that wraps faults, in any of their threads.
TEST_F(RuleFileFaults, AWrongAddressIsAnError) {
    std::string const from = "s.cell.set(i, s.cell[";
    std::string const wrong = rule_over_cell("return true;", from + "i - 1]);\nreturn true;");
    std::string const right = rule_over_cell("return true;", from + "i]);\nreturn true;");
    std::string const range =
        "column u32 cell[9];\nrule R {\nu32 range(State const& s) { return s.cell[~0u]; }\n"
        "bool condition(State const& s, u32 i) { return true; }\n"
        "bool evaluate(State& s, u32 i) { s.cell.set(0, i); return true; } }\n";
    std::string const initial = "column u32 cell[9];\ncolumn u32 a[9] = s.cell[i - 1];\n" + std::string(valid_rule);
    std::string const remedy = "or calls itself too deeply) Add --check, which names the index.";
    for (std::uint64_t const states : {1, 300}) {
        Work work;
        work.states = states;
        for (std::string const& text : {wrong, range}) {
            std::string const found = error_of_rules(text, work);
            EXPECT_TRUE(found.starts_with("cannot run own.rules ") && has(found, "a rule" + outside + "its columns") &&
                        has(found, remedy))
                << found;
        }
        std::string const found = error_of_rules(initial, work);
        EXPECT_TRUE(has(found, "an initial value" + outside + "the columns that are declared before it") &&
                    found.ends_with("Declare the columns that it reads before it."))
            << found;
        Work checked = work;
        checked.is_checked = true;  // so that nothing is left to add
        EXPECT_TRUE(error_of_rules(wrong, checked).ends_with("Correct the rule file."))
            << error_of_rules(wrong, checked);
        EXPECT_EQ(error_of_rules(right, work), "no error");
    }
}

TEST_F(RuleFileFaults, ADivisionByZeroIsAnErrorWithItsLine) {
    for (Work work : works()) {
        for (std::uint64_t const states : {1, 300}) {
            work.states = states;
            std::string const sets = "s.cell.set(i, 3);\nreturn true;";
            std::string const error = error_of_rules(rule_over_cell("return 7 / s.cell[0] == i;", sets), work);
            EXPECT_TRUE(has(error, "cannot run own.rules line 5 (") && has(error, "divides by zero")) << error;
            EXPECT_EQ(error_of_rules(rule_over_cell("return 7 / s.cell[1] == i;", sets), work), "no error");
        }
    }
}

// What a rule sets is known to the ranges of the rules after it, and to no other.
TEST_F(RuleFileFaults, ARangeMayDivideByWhatAnEarlierRuleSets) {
    std::string const text =
        "column u32 n[1];\ncolumn u32 cell[9];\n"
        "rule First over n { bool condition(State const& s, u32 i) { return true; }\n"
        "bool evaluate(State& s, u32 i) { s.n.set(i, 3); return true; } }\n"
        "rule Second { u32 range(State const& s) { return 9 / s.n[0]; }\n"
        "bool condition(State const& s, u32 i) { return true; }\n"
        "bool evaluate(State& s, u32 i) { s.cell.set(i, 1); return true; } }\n";
    for (Work work : works()) {
        for (std::uint64_t const states : {1, 300}) {
            work.states = states;
            EXPECT_EQ(error_of_rules(text, work), "no error");
        }
    }
}

// On the CPU and in the emulator. Compilers that may assume that it does not happen take the sum for the larger one.
TEST_F(RuleFileFaults, SignedIntegersWrap) {
    std::string const text =
        "column i32 cell[9] = 2147483640 + static_cast<i32>(i % 2);\ncolumn u32 wrapped[9];\nrule R over cell {\n"
        "bool condition(State const& s, u32 i) { i32 const x = s.cell[i]; return x + 100 < x; }\n"
        "bool evaluate(State& s, u32 i) { s.wrapped.set(i, 1); return true; } }\n";
    for (Work work : works()) {
        work.out = {{"wrapped", path("wrapped.npy")}};
        EXPECT_EQ(error_of_rules(text, work), "no error");
        EXPECT_EQ((values_of<std::uint32_t>("wrapped.npy", Type::u32, 9)), std::vector<std::uint32_t>(9, 1));
    }
}

// Calls the range of a rule that has an endless loop without effect, in a process that a signal ends after 1 s. Code 9:
// the range returned.
[[noreturn]] void call_endless_range(std::string const& object) {
    using Range = unsigned long long (*)(Arguments const*, unsigned long long, unsigned);
    auto const range = reinterpret_cast<Range>(jit::symbol_in(object, "lockstep_range"));
    Arguments arguments;
    std::signal(SIGALRM, SIG_DFL);
    alarm(1);
    range(&arguments, 0, 0);
    _exit(9);
}

// Compilers may assume that a loop ends and delete it, unless an option says otherwise. They do so where they optimise,
// which some builds do not.
TEST_F(RuleFileFaults, EndlessLoopsStay) {
    std::string const text =
        cpu_text(parse_rule_file("column u32 a[1];\nrule R {\n"
                                 "u32 range(State const& s) { for (u64 x = s.number; x % 2 == 0;) x += 2; return 1; }\n"
                                 "bool condition(State const& s, u32 i) { return true; }\n"
                                 "bool evaluate(State& s, u32 i) { return false; } }\n",
                                 "own.rules"),
                 CpuCode::loops);
    jit::CompileContext const context = {"interpret", "the rules", "use --machine cuda."};
    std::vector<std::string> options = jit::cpu_options();
    options.emplace_back("-O2");  // the last level counts
    std::string const kept = jit::shared_object(text, options, context);
    std::erase(options, "-fno-finite-loops");
    options.emplace_back("-ffinite-loops");
    std::string const deleted = jit::shared_object(text, options, context);
    EXPECT_EXIT(call_endless_range(kept), testing::KilledBySignal(SIGALRM), "");
    EXPECT_EXIT(call_endless_range(deleted), testing::ExitedWithCode(9), "");  // so the loop is one that could vanish
}

TEST_F(RuleFileFaults, AnIndexOutsideOfALocalArrayIsAnErrorWithItsLine) {
    for (Work work : works()) {
        std::string const sets = "s.cell.set(i, 0);\nreturn true;";
        EXPECT_EQ(error_of_rules(rule_over_cell("u32 a[3] = {}; return a[s.cell[0] + 3] == i;", sets), work),
                  "cannot run own.rules line 5 (a rule uses an index outside of an array, or divides by zero) Test the "
                  "index, or the divisor.");
        EXPECT_EQ(error_of_rules(rule_over_cell("u32 a[3] = {}; return a[s.cell[0] + 2] == i;", sets), work),
                  "no error");
    }
}

TEST_F(RuleFileFaults, EndlessRecursionIsAnError) {
    std::string const text = "u32 deep(State const& s, u32 i) { return deep(s, deep(s, i + s.cell[i % 9])); }\n";
    for (Work work : works()) {
        for (std::uint64_t const states : {1, 300}) {
            work.states = states;
            std::string const error =
                error_of_rules("column u32 cell[9] = i;\nrule R over cell {\n" + text +
                                   "bool condition(State const& s, u32 i) { return deep(s, i) == 3; }\n"
                                   "bool evaluate(State& s, u32 i) { return s.cell[i] == 1; } }\n",
                               work);
            EXPECT_TRUE(has(error, "or calls itself too deeply) ")) << error;
            EXPECT_EQ(has(error, "Add --check"), !work.sequential && work.machine == simt::Machine::cpu) << error;
        }
    }
}

// Instances in different warps and blocks wait for one another when one of them faults.
TEST_F(RuleFileFaults, AFaultInTheEmulatorLeavesItUsable) {
    Work work;
    work.machine = simt::Machine::emulator;
    work.states = 5;
    std::string const wrong =
        "column u32 cell[5000] = i;\nrule R over cell {\nbool condition(State const& s, u32 i) {\n"
        "return 7 / (s.cell[i] - 4321 * (s.number == 3 ? 1 : 0)) != 9;\n}\n" +
        nothing;
    for (KernelChoice const kernels : {KernelChoice::queue, KernelChoice::grid}) {
        work.kernels = kernels;
        for (int repeated = 0; repeated < 3; ++repeated)
            EXPECT_TRUE(has(error_of_rules(wrong, work), "own.rules line 4 (a rule "));
        EXPECT_EQ(error_of_rules(rule_over_cell("return true;", "s.cell.set(i, 3);\nreturn true;"), work), "no error");
    }
}

std::string with_rule(std::string const& columns) { return columns + std::string(valid_rule); }

TEST_F(RuleFileFaults, AnInitialValueReadsColumnsThatAreDeclaredBefore) {
    auto const refused = [](std::string const& line, std::string const& column, std::string const& what) {
        return "invalid own.rules line " + line + " (the initial value of " + column + " reads column " + what;
    };
    for (Work const& work : works()) {
        auto const error = [&](std::string const& columns) { return error_of_rules(with_rule(columns), work); };
        EXPECT_EQ(error("column u32 b[3] = i;\ncolumn u32 a[3] = s.b[i] + s.a.size();\n"), "no error");
        EXPECT_EQ(error("column u32 a[3] = 1 + s . b [i];\ncolumn u32 b[3] = i;\n"),
                  refused("1", "a", "b, which is declared later) Declare b before it, or read it from a file."));
        EXPECT_EQ(error("column u32 a[3] = 1 +\n // s.b[i]\n  s.b[i];\ncolumn u32 b[3];\n"),
                  refused("3", "a", "b, which is declared later) Declare b before it, or read it from a file."));
        EXPECT_EQ(error("column u32 a[3] = i == 0 ? 1 : s.a[i - 1];\n"),
                  refused("1", "a", "a itself) Compute it from s and i."));
        EXPECT_EQ(error("column u32 a[3] = 1 /* s.b[i] */;\ncolumn u32 b[3];\n"), "no error");
    }
}

// A function hides what it reads.
TEST_F(RuleFileFaults, AnInitialValueThatCallsAReaderOfALaterColumnIsAnError) {
    std::string const hidden = "u32 of(State const& s, u32 i) { return s.b[i]; }\n";
    for (Work work : works()) {
        if (lockstep::tests::under_address_sanitizer && work.machine == simt::Machine::emulator)
            continue;  // its checks of undefined behaviour end the code by another signal
        for (std::uint64_t const states : {1, 300}) {
            work.states = states;
            EXPECT_TRUE(
                has(error_of_rules(with_rule(hidden + "column u32 a[3] = of(s, i);\ncolumn u32 b[3] = 4;\n"), work),
                    "an initial value" + outside));
            EXPECT_TRUE(has(error_of_rules(with_rule(hidden + "column u32 a[3];\ncolumn u32 b[3] = of(s, i);\n"), work),
                            "an initial value" + outside));
            EXPECT_EQ(error_of_rules(with_rule(hidden + "column u32 b[3] = 4;\ncolumn u32 a[3] = of(s, i);\n"), work),
                      "no error");
        }
    }
}

TEST_F(RuleFileFaults, AnInitialValueReadsAColumnOfAFileWhereverItIsDeclared) {
    std::string const name = path("b.raw");
    std::string bytes(12, '\0');
    bytes[4] = 7;
    bench::write_file_atomically(name, bytes);
    for (Work work : works()) {
        work.columns = {{"b", name}};
        work.out = {{"a", path("a.raw")}};
        EXPECT_EQ(
            error_of_rules("column u32 a[3] = s.b[i];\ncolumn u32 b[3] = s.a[i];\n" + std::string(valid_rule), work),
            "no error");
        EXPECT_EQ(bench::read_file(path("a.raw")), bytes);
    }
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
