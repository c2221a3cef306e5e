// `lockstep interpret`: the same file for every variant and machine, puzzle files, and messages for invalid options.

#include "experiments/rule_interpreter/command.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "experiments/rule_interpreter/experiment.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/simt/devices.hpp"
#include "harness/simt/emulator/options.hpp"
#include "tests/support/tool.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

using lockstep::tests::Ran;

// Also where the rules have no puzzles.
TEST(AxisOfPuzzles, AFileThatCannotBeReadIsAnErrorForAnyRules) {
    bench::Experiment const experiment = make_experiment();
    bench::Axes axes = bench::default_axes(experiment);
    for (char const* const rules : {"synthetic", "accesses", "sudoku"}) {
        axes.set("rules", rules);
        axes.set("puzzles", "generated");
        EXPECT_NO_THROW(experiment.check(axes)) << rules;
        axes.set("puzzles", "no_such_file");
        EXPECT_THROW(experiment.check(axes), bench::Error) << rules;
    }
}

class Interpret : public lockstep::tests::ToolTest {
protected:
    Interpret() : ToolTest("interpret", interpret_command) {}
};

TEST_F(Interpret, EveryVariantWritesTheSameBytes) {
    std::vector<std::vector<std::string>> const jobs = {
        {"--rules", "synthetic", "--states", "5", "--range", "70", "--divergence", "3", "--shape", "1x1x1"},
        {"--rules", "several", "--states", "3", "--range", "150", "--load", "2"},
        {"--rules", "sudoku", "--puzzles", "6", "--clues", "33"},
    };
    for (std::vector<std::string> const& job : jobs) {
        auto const with = [&](std::vector<std::string> const& more) {
            std::vector<std::string> all = job;
            all.insert(all.end(), more.begin(), more.end());
            return all;
        };
        std::string const expected = csv_of(with({"--machine", "cpu", "--variant", "sequential"}));
        EXPECT_GT(expected.size(), 60u);
        EXPECT_EQ(csv_of(with({"--machine", "cpu"})), expected);
        for (char const* const variant : {"algorithm1", "queue", "block_queue", "auto"})
            EXPECT_EQ(csv_of(with({"--machine", "emulator", "--variant", variant})), expected) << variant;
        EXPECT_NE(csv_of(with({"--machine", "cpu", "--seed", "2"})), expected);
    }
}

TEST_F(Interpret, BadLinesAreReportedAfterTheOthersAreDone) {
    std::string const easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    bench::write_file_atomically(file("grids.txt"), "# two grids\n" + easy + "\n12345\n\n" + easy.substr(1) + "x\n" +
                                                        "0" + easy.substr(1) + "\n");
    Ran const ran =
        run({"--rules", "sudoku", "--file", file("grids.txt"), "--machine", "cpu", "--csv", file("out.csv")});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("line 3 of "), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("5 characters instead of 81"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("line 5 of "), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("character 81 is 'x'"), std::string::npos) << ran.err;
    EXPECT_NE(ran.out.find("2 puzzles, 2 solved"), std::string::npos) << ran.out;
    Ran const document = run({"--rules", "sudoku", "--file", file("grids.txt"), "--machine", "cpu", "--json"});
    EXPECT_EQ(document.code, 2);
    EXPECT_NE(document.out.find("\"invalid_lines\": 2"), std::string::npos) << document.out;
    std::string const csv = bench::read_file(file("out.csv"));
    EXPECT_NE(csv.find("\n2," + easy +
                       ",solved,"
                       "5,534678912672195348198342567859761423426853791713924856961537284287419635345286179\n"),
              std::string::npos)
        << csv;
    EXPECT_NE(csv.find("\n6,.3..7"), std::string::npos) << csv;
}

TEST_F(Interpret, AGridIsSolvedInTheLastPassThatTheBoundAllows) {
    std::string const easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    std::string const twice = "55" + std::string(79, '.');
    lockstep::tests::Words const job = {
        "--rules", "sudoku", "--show", "0", "--file", file("grids.txt", easy + "\n" + twice + "\n"), "--bound"};
    auto const with = [&](lockstep::tests::Words const& more) { return output_of(lockstep::tests::joined(job, more)); };
    for (char const* const variant : {"sequential", "all_cores"})
        EXPECT_TRUE(with({"5", "--machine", "cpu", "--variant", variant})
                        .starts_with("2 puzzles, 1 solved, 0 unfinished, 1 contradiction, 0 bound; "))
            << variant;
    for (char const* const variant : {"algorithm1", "queue", "bit_board", "auto"}) {
        EXPECT_TRUE(with({"5", "--machine", "emulator", "--variant", variant})
                        .starts_with("2 puzzles, 1 solved, 0 unfinished, 1 contradiction, 0 bound; "))
            << variant;
        EXPECT_TRUE(with({"4", "--machine", "emulator", "--variant", variant})
                        .starts_with("2 puzzles, 0 solved, 0 unfinished, 1 contradiction, 1 bound; "))
            << variant;
    }
}

TEST_F(Interpret, TheHelpNamesTheRulesThatItApplies) {
    std::string help;
    try {
        run({"--help"});
    } catch (cli::HelpRequested const& requested) {
        help = requested.text;
    }
    EXPECT_NE(help.find("synthetic, several, accesses, sudoku"), std::string::npos) << help;
    EXPECT_EQ(help.find("search"), std::string::npos) << help;
    EXPECT_NE(error_of({"--rules", "search"}).find("Use lockstep sudoku."), std::string::npos);
}

TEST_F(Interpret, ARuleBaseThatAVariantLacksIsItsReason) {
    EXPECT_NE(error_of({"--machine", "emulator", "--rules", "accesses", "--variant", "grid_stride"})
                  .find("it is not compiled for rules accesses"),
              std::string::npos);
}

// The variants that `auto` chooses are not all compiled for this layout.
TEST_F(Interpret, AutoChoosesVariantsOfTheLayout) {
    for (std::vector<std::string> const& job : std::vector<std::vector<std::string>>{
             {"--states", "40", "--range", "70", "--shape", "1x1x1"},
             {"--states", "70", "--range", "1000", "--enabled", "1", "--load", "500"},  // else a list
             {"--states", "40", "--range", "70", "--shape", "1x1x1", "--steps", "3"},
             {"--states", "300", "--range", "256", "--divergence", "9", "--load", "1"}})
        EXPECT_EQ(csv_of(lockstep::tests::joined(
                      job, {"--machine", "emulator", "--variant", "auto", "--layout", "C_divided"})),
                  csv_of(lockstep::tests::joined(job, {"--machine", "cpu", "--variant", "sequential"})))
            << job[1];
}

// The pass after the last change has another activity, which is none.
TEST_F(Interpret, PassesOfActivityAreNamedAsSuch) {
    std::string const easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    lockstep::tests::Words const job = {"--rules", "sudoku", "--file", file("grids.txt", easy + "\n"), "--until"};
    for (char const* const machine : {"cpu", "emulator"}) {
        auto const said = [&](char const* until) {
            return output_of(lockstep::tests::joined(job, {until, "--show", "0", "--machine", machine}));
        };
        EXPECT_NE(said("change").find("; at most 5 passes changed a puzzle\n"), std::string::npos) << said("change");
        EXPECT_NE(said("activity").find("; at most 6 passes changed which instances are active\n"), std::string::npos)
            << said("activity");
    }
}

TEST_F(Interpret, OneOfAThingHasNoPlural) {
    std::string const sudoku = output_of({"--rules", "sudoku", "--puzzles", "1", "--machine", "cpu", "--bound", "1"});
    EXPECT_NE(sudoku.find("\n1 puzzle, "), std::string::npos) << sudoku;
    EXPECT_NE(sudoku.find("; at most 1 pass changed a puzzle\n"), std::string::npos) << sudoku;
    EXPECT_TRUE(output_of({"--states", "1", "--range", "40", "--machine", "cpu"}).starts_with("1 state, "));
    std::string const rules = file("own.rules",
                                   "column u32 a[1];\nrule R over a {\n"
                                   "bool condition(State const& s, u32 i) { return s.a[i] == 0; }\n"
                                   "bool evaluate(State& s, u32 i) { s.a.set(i, 1); return true; } }\n");
    std::string const own = output_of({"--rules-file", rules, "--machine", "cpu", "--until", "change"});
    EXPECT_TRUE(own.starts_with("1 state of 1 value; 1 at a fixed point, 0 at the bound; at most 1 pass changed a"))
        << own;
}

TEST_F(Interpret, WrongOptionsGetOneClearLine) {
    auto const error = [this](std::vector<std::string> const& arguments) { return error_of(arguments); };
    EXPECT_NE(error({"--rules", "sudoko"}).find("did you mean sudoku?"), std::string::npos);
    EXPECT_NE(error({"--layout", "D"}).find("invalid layout=D"), std::string::npos);
    EXPECT_NE(error({"--shape", "3x3x3"}).find("invalid shape=3x3x3"), std::string::npos);
    EXPECT_NE(error({"--range", "0"}).find("must be from 1 to 65536"), std::string::npos);
    EXPECT_NE(error({"--states", "0"}).find("must be from 1 to 16777216"), std::string::npos);
    EXPECT_NE(error({"--range", "many"}).find("must be an integer"), std::string::npos);
    EXPECT_NE(error({"--divergence", "2", "--enabled", "50"}).find("Give one"), std::string::npos);
    EXPECT_NE(error({"--puzzles", "3"}).find("--rules sudoku"), std::string::npos);
    EXPECT_NE(error({"--rules", "sudoku", "--file", "/nowhere"}).find("cannot read"), std::string::npos);
    EXPECT_NE(error({"--variant", "algorithm4", "--machine", "emulator"}).find("unknown variant"), std::string::npos);
    EXPECT_NE(error({"--machine", "gpu"}).find("unknown machine"), std::string::npos);
    EXPECT_NE(error({"--machine", "emulator", "--variant", "cached", "--range", "65536"})
                  .find("a state takes 524288 bytes, but the shared memory of a block has room for 232192"),
              std::string::npos);
    EXPECT_NE(error({"--machine", "emulator", "--variant", "cached", "--layout", "B"}).find("layout A only"),
              std::string::npos);
    EXPECT_NE(error({"--machine", "emulator", "--variant", "list", "--layout", "C_divided"}).find("Algorithms 1 and 3"),
              std::string::npos);
    EXPECT_NE(error({"--machine", "emulator", "--shape", "2x4x8", "--layout", "C"}).find("layout A only"),
              std::string::npos);
    EXPECT_NE(error({"--machine", "emulator", "--rules", "sudoku", "--until", "cycle", "--variant", "algorithm1"})
                  .find("no launch covers"),
              std::string::npos);
    EXPECT_NE(error({"--frobnicate"}).find("--help"), std::string::npos);
}

TEST_F(Interpret, OptionsWithoutEffectAreRefused) {
    std::string const puzzle = file("puzzle.txt", std::string(81, '.') + "\n");
    lockstep::tests::Words const sudoku = {"--rules", "sudoku", "--machine", "cpu"};
    auto const error = [&](lockstep::tests::Words const& more) {
        return error_of(lockstep::tests::joined(sudoku, more));
    };
    for (char const* const option : {"--range", "--divergence", "--load", "--accesses", "--steps"})
        EXPECT_NE(error({option, "3"}).find(std::string(option) + " has no effect with --rules sudoku"),
                  std::string::npos);
    EXPECT_NE(error({"--file", puzzle, "--clues", "30"}).find("--clues has no effect with --file"), std::string::npos);
    EXPECT_NE(error({"--file", puzzle, "--states", "3"}).find("--states has no effect"), std::string::npos);
    EXPECT_NE(error({"--puzzles", "4", "--states", "3"}).find("--states has no effect"), std::string::npos);
    EXPECT_NE(error({"--file", puzzle, "--seed", "3"}).find("--seed has no effect with --file"), std::string::npos);
    EXPECT_EQ(error({"--puzzles", "0"}), "no puzzles to generate (--puzzles is 0) Give at least 1.");
    auto const other = [&](char const* rules, char const* option, char const* value) {
        return error_of({"--machine", "cpu", "--rules", rules, option, value});
    };
    EXPECT_NE(other("accesses", "--load", "3").find("--load has no effect with --rules accesses"), std::string::npos);
    EXPECT_NE(other("accesses", "--shape", "1x1x1").find("--shape has no effect with --rules"), std::string::npos);
    EXPECT_NE(other("several", "--shape", "1x1x1").find("--shape has no effect with --rules"), std::string::npos);
    EXPECT_NE(other("several", "--accesses", "3").find("--accesses has no effect with --rules"), std::string::npos);
    EXPECT_NE(other("synthetic", "--accesses", "3").find("--accesses has no effect with --rules"), std::string::npos);
    EXPECT_NE(other("synthetic", "--puzzles", "0").find("--rules sudoku"), std::string::npos);
    for (char const* const option : {"--clues", "--bound", "--show"})
        EXPECT_NE(error_of({"--machine", "cpu", option, "3"}).find("has no effect without --rules sudoku"),
                  std::string::npos);
    EXPECT_EQ(run(lockstep::tests::joined(sudoku, {"--states", "2", "--bound", "9", "--until", "activity"})).code, 0);
}

TEST_F(Interpret, TheTimeOfTheSetUpIsShown) {
    std::string const rules = file("own.rules",
                                   "column u32 a[4] = i;\nrule R over a {\n"
                                   "bool condition(State const& s, u32 i) { return true; }\n"
                                   "bool evaluate(State& s, u32 i) { return false; } }\n");
    for (lockstep::tests::Words const& job : {lockstep::tests::Words{"--rules-file", rules}, {"--range", "32"}}) {
        lockstep::tests::Words const whole = lockstep::tests::joined(job, {"--states", "50", "--machine", "cpu"});
        EXPECT_NE(output_of(whole).find(" s to set up the states, digest 0x"), std::string::npos);
        std::string const document = output_of(lockstep::tests::joined(whole, {"--json"}));
        std::size_t const at = document.find("\"setup_seconds\": ");
        ASSERT_NE(at, std::string::npos) << document;
        EXPECT_GT(std::stod(document.substr(at + 17)), 0) << document;
    }
}

TEST_F(Interpret, RulesOfOnesOwnRunFromAFile) {
    std::string const life = "examples/rule_interpreter/rules/life.rules";
    std::vector<std::string> const job = {"--rules-file", life, "--states", "3", "--set", "side=9", "--steps", "4"};
    auto const with = [&](std::vector<std::string> const& more) { return lockstep::tests::joined(job, more); };
    std::string const expected = csv_of(with({"--machine", "cpu", "--variant", "sequential"}));
    EXPECT_EQ(expected.find("state,digest\n0,"), 0u) << expected;
    EXPECT_EQ(csv_of(with({"--machine", "cpu", "--check"})), expected);
    EXPECT_EQ(csv_of(with({"--machine", "emulator"})), expected);
    EXPECT_NE(csv_of(with({"--machine", "cpu", "--seed", "2"})), expected);
    // Two steps and two more from the file that the first two left.
    output_of({"--rules-file", life, "--states", "3", "--set", "side=9", "--steps", "2", "--machine", "cpu", "--out",
               "cell=" + file("cells.npy")});
    EXPECT_EQ(csv_of({"--rules-file", life, "--set", "side=9", "--steps", "2", "--machine", "cpu", "--column",
                      "cell=" + file("cells.npy")}),
              expected);
    EXPECT_NE(output_of(with({"--machine", "cpu", "--json"})).find("\"states\": 3"), std::string::npos);
}

TEST_F(Interpret, RuleFilesTellTheirGeometryAndTheShareEnabled) {
    std::vector<std::string> const job = {"--rules-file", "examples/rule_interpreter/rules/life.rules", "--set",
                                          "side=9"};
    auto const with = [&](std::vector<std::string> const& more) { return lockstep::tests::joined(job, more); };
    auto const has = [](std::string const& text, char const* part) { return text.find(part) != std::string::npos; };
    std::string const grid = output_of(with({"--machine", "emulator", "--variant", "grid"}));
    EXPECT_TRUE(has(grid, "grid on machine emulator")) << grid;
    EXPECT_TRUE(has(grid, "8 warps per state, compaction, a launch per rule, after 0 trials; ")) << grid;
    std::string const queue = output_of(with({"--machine", "emulator", "--variant", "queue", "--json"}));
    for (char const* const part : {"\"variant\": \"queue\"", "\"warps_per_state\": 1", "\"states_per_warp\": 1",
                                   "\"compaction\": true", "\"trials\": 0", "\"share_enabled\": 0."})
        EXPECT_TRUE(has(queue, part)) << part << queue;
    EXPECT_FALSE(has(output_of(with({"--machine", "cpu"})), "warps per state"));
    EXPECT_EQ(csv_of(with({"--machine", "emulator", "--variant", "grid"})),
              csv_of(with({"--machine", "cpu", "--variant", "sequential"})));
    EXPECT_TRUE(has(error_of(with({"--machine", "cpu", "--variant", "grid"})), "Add --machine emulator"));
}

TEST_F(Interpret, WrongOptionsForRuleFilesGetOneClearLine) {
    std::string const rules = file("a.hpp",
                                   "parameter u32 n = 3;\ncolumn u32 a[n] = i;\nrule R over a {\n"
                                   "bool condition(State const& s, u32 i) { return i > 0; }\n"
                                   "bool evaluate(State& s, u32 i) { s.a.set(i, s.a[i - 1]); return true; } }\n");
    auto const error = [&](std::vector<std::string> const& more) {
        return error_of(lockstep::tests::joined({"--rules-file", rules, "--machine", "cpu"}, more));
    };
    auto const has = [](std::string const& text, char const* part) { return text.find(part) != std::string::npos; };
    EXPECT_TRUE(has(error({"--check"}), "state 0 differs from the sequential reference"));
    EXPECT_TRUE(has(error({"--load", "3"}), "--load does not go with --rules-file"));
    EXPECT_TRUE(has(error({"--puzzles", "3"}), "--puzzles does not go with --rules-file"));
    EXPECT_TRUE(has(error({"--until", "activity"}), "invalid until=activity"));
    EXPECT_TRUE(has(error({"--until", "change", "--steps", "3"}), "--steps with --until change"));
    EXPECT_TRUE(has(error({"--bound", "3"}), "--bound without --until change"));
    EXPECT_TRUE(has(error({"--steps", "0"}), "invalid steps=0"));
    EXPECT_TRUE(has(error({"--states", "many"}), "invalid states=many"));
    EXPECT_TRUE(has(error({"--set", "m=3"}), "unknown parameter m"));
    EXPECT_TRUE(has(error({"--set", "n"}), "it must be NAME=VALUE"));
    EXPECT_TRUE(has(error({"--set", "n=3", "--set", "n=4"}), "n is given twice"));
    EXPECT_TRUE(has(error({"--set", "n=-3"}), "it must be an integer from 0 to 4294967295"));
    EXPECT_TRUE(has(error({"--column", "b=x.npy"}), "unknown column b"));
    EXPECT_TRUE(has(error({"--out", "b=x.npy"}), "unknown column b"));
    EXPECT_TRUE(has(error({"--variant", "queue"}), "Add --machine emulator"));
    EXPECT_TRUE(has(error({"--variant", "list"}), "unknown variant list"));
    EXPECT_TRUE(has(error_of({"--set", "n=3"}), "--set needs --rules-file"));
    EXPECT_TRUE(has(error_of({"--rules-file", "/nowhere"}), "cannot read /nowhere"));
}

TEST_F(Interpret, CheckNamesTheLineOfAWrongIndexOnEveryMachine) {
    auto const rules = [&](std::string const& index) {
        return file("a.rules",
                    "column u32 cell[9] = i;\nrule R over cell {\n"
                    "bool condition(State const& s, u32 i) { return s.cell[" +
                        index +
                        "] == 3; }\n"
                        "bool evaluate(State& s, u32 i) { return false; } }\n");
    };
    for (char const* const machine : {"cpu", "emulator"}) {
        auto const error = [&](std::string const& index) {
            return error_of({"--rules-file", rules(index), "--machine", machine, "--check", "--csv", file("out.csv"),
                             "--out", "cell=" + file("cell.npy")});
        };
        auto const expected = [&](char const* index) {
            return "cannot run " + file("a.rules") +
                   " (index outside the column: cell has 9 values, and the index is " + index +
                   "; in state 0, at line 3) Correct the rule file.";
        };
        EXPECT_EQ(error("i - 1"), expected("4294967295"));
        EXPECT_EQ(error("i + 9"), expected("9"));
        EXPECT_FALSE(std::filesystem::exists(file("out.csv")));
        EXPECT_FALSE(std::filesystem::exists(file("cell.npy")));
    }
    EXPECT_EQ(csv_of({"--rules-file", rules("i % 9"), "--machine", "cpu", "--check"}).find("state,digest\n0,"), 0u);
}

TEST_F(Interpret, CheckRefusesAValueThatTwoInstancesSet) {
    std::string const rules = file("a.rules",
                                   "column u32 any[1];\ncolumn u32 cell[9] = i;\nrule R over cell {\n"
                                   "bool condition(State const& s, u32 i) { return s.cell[i] > 2; }\n"
                                   "bool evaluate(State& s, u32 i) { s.any.set(0, 1); return true; } }\n");
    for (char const* const machine : {"cpu", "emulator"}) {
        lockstep::tests::Words const job = {"--rules-file", rules,           "--machine", machine,
                                            "--csv",        file("out.csv"), "--out",     "any=" + file("any.npy")};
        EXPECT_EQ(error_of(lockstep::tests::joined(job, {"--check"})),
                  "cannot run " + rules +
                      " (two instances of a rule set the same value: any[0] by 3 and 4; in state 0, at line 5) Let "
                      "each instance set values of its own.");
        EXPECT_FALSE(std::filesystem::exists(file("out.csv")));
        EXPECT_FALSE(std::filesystem::exists(file("any.npy")));
    }
}

[[noreturn]] void interpret_with_short_turns(std::string const& rules, std::string const& out) {
    simt::emulator::Options options = simt::emulator::options();
    options.turn_limit_seconds = 1;
    simt::emulator::ScopedOptions const scope(options);
    char const* const words[] = {"interpret", "--rules-file", rules.c_str(), "--machine",
                                 "emulator",  "--out",        out.c_str()};
    std::exit(interpret_command(static_cast<int>(std::size(words)), words));
}

TEST_F(Interpret, AnEndlessLoopInTheEmulatorIsAMistake) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // the watchdog is a thread, which a fork would not have
    std::string const rules = file("own.rules",
                                   "column u32 a[3];\nrule R over a {\n"
                                   "bool condition(State const& s, u32 i) { return true; }\n"
                                   "bool evaluate(State& s, u32 i) { while (true) s.a.set(i, s.a[i] + 1); } }\n");
    EXPECT_EXIT(interpret_with_short_turns(rules, "a=" + file("a.npy")), testing::ExitedWithCode(2),
                "^lockstep: cannot run .*own.rules \\(a lane has not ended its turn for 1 s: an endless loop\\) "
                "Correct the rule file.\n$");
    for (auto const& entry : std::filesystem::directory_iterator(std::filesystem::path(rules).parent_path()))
        EXPECT_EQ(entry.path().filename(), "own.rules");
}

TEST_F(Interpret, TuningNeedsAGpuAndNothingElse) {
    EXPECT_NE(error_of({"--tune", "--machine", "emulator"}).find("--machine does not go with --tune"),
              std::string::npos);
    for (char const* const option : {"--states", "--puzzles", "--seed", "--show", "--bound"})
        EXPECT_EQ(error_of({"--tune", option, "3"}), std::string(option) +
                                                         " does not go with --tune (it measures the variants of this "
                                                         "GPU) Give --tune alone.");
    if (simt::cuda_devices().devices.empty()) {
        EXPECT_NE(error_of({"--tune"}).find("cannot tune (no CUDA device"), std::string::npos) << error_of({"--tune"});
    }
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
