// `lockstep interpret`: the same file for every variant and machine, puzzle files, and messages for invalid options.
// Also the rules of Sudoku on grids with a known answer.

#include "experiments/rule_interpreter/command.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "common/rule_interpreter/initial_values.hpp"
#include "experiments/rule_interpreter/experiment.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/devices.hpp"
#include "kernels/rule_interpreter/cached_plan.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"
#include "tests/rule_interpreter/variants.hpp"
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
    std::string const csv = bench::read_file(file("out.csv"));
    EXPECT_NE(csv.find("\n2," + easy +
                       ",solved,"
                       "5,534678912672195348198342567859761423426853791713924856961537284287419635345286179\n"),
              std::string::npos)
        << csv;
    EXPECT_NE(csv.find("\n6,.3..7"), std::string::npos) << csv;
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

TEST_F(Interpret, TuningNeedsAGpuAndNothingElse) {
    EXPECT_NE(error_of({"--tune", "--machine", "emulator"}).find("--machine does not go with --tune"),
              std::string::npos);
    if (simt::cuda_devices().devices.empty()) {
        EXPECT_NE(error_of({"--tune"}).find("cannot tune (no CUDA device"), std::string::npos) << error_of({"--tune"});
    }
}

TEST(Sudoku, ContradictionsAndBoundsAreReported) {
    Puzzle twice{};
    twice[0] = twice[8] = 5;
    EXPECT_EQ(conclude(twice, 100, Until::change).outcome, Outcome::contradiction);
    Puzzle const hard =
        parse_puzzle("000000010400000000020000000000050407008000300001090000300400200050100000000806000");
    EXPECT_EQ(conclude(hard, 100, Until::change).outcome, Outcome::solved);
    EXPECT_EQ(conclude(hard, 3, Until::change).outcome, Outcome::bound);
    EXPECT_EQ(conclude(Puzzle{}, 100, Until::change).outcome, Outcome::unfinished);
}

// A generated grid breaks no rule for any number of clues; with all 81 clues it is a solution.
TEST(Sudoku, GeneratedGridsAreSound) {
    for (std::uint64_t number = 0; number < 50; ++number) {
        Conclusion const whole = conclude(generated_puzzle(7, number, 81), 100, Until::change);
        EXPECT_EQ(whole.outcome, Outcome::solved);
        Conclusion const part = conclude(generated_puzzle(7, number, 40), 100, Until::change);
        ASSERT_NE(part.outcome, Outcome::contradiction);
        for (unsigned cell = 0; cell < cells; ++cell) {
            // The rules exclude only impossible candidates, so they keep every candidate of the solution from which the
            // clues were taken.
            unsigned const digit = whole.words[cell] & all_digits;
            EXPECT_EQ(part.words[cell] & digit, digit);
        }
    }
}

// Negative control for the check: one result changed, one missing, one too many.
TEST(Summaries, DetectEveryDifference) {
    Job job;
    job.workload.range = 40;
    std::vector<std::uint32_t> results = synthetic_results(job, 3);
    bench::UnitResult const right = summary_of(results);
    std::size_t enabled = 0;
    while (results[enabled] == result_unset)
        ++enabled;
    std::vector<std::uint32_t> changed = results;
    changed[enabled] ^= 1;
    EXPECT_NE(summary_of(changed), right);
    changed = results;
    changed[enabled] = result_unset;
    EXPECT_NE(summary_of(changed), right);
    changed = results;
    std::swap(changed[enabled], changed[enabled + 1]);
    EXPECT_EQ(changed == results, summary_of(changed) == right);
    // One load step more or less changes the checksum, even after thousands of steps.
    for (Shape const& s : compiled_shapes) {
        for (unsigned const load : {1u, 20u, 2000u}) {
            EXPECT_NE(product_checksum(s, 1, 5, load), product_checksum(s, 1, 5, load + 1))
                << s.m << "x" << s.n << "x" << s.o << " " << load;
        }
    }
}

// The paper's 2MNO - MO by hand. 2x2x2: four sums of two products and one addition. 1x1x1: one product.
TEST(Shapes, HaveThePapersCountOfOperations) {
    EXPECT_EQ(paper_operations(Shape(2)), 12u);
    EXPECT_EQ(paper_operations(Shape(1)), 1u);
    EXPECT_EQ(paper_operations(Shape(1, 4, 4)), 28u);
    EXPECT_EQ(paper_operations(Shape(4, 2, 1)), 12u);
    EXPECT_EQ(paper_operations(Shape(2, 4, 8)), 112u);
    // In FP32 slots, a product and its addition take one; 4x2x1 adds two rows of its product to the other two.
    EXPECT_EQ(slots_per_product(Shape(2)), 8u);
    EXPECT_EQ(slots_per_product(Shape(4, 2, 1)), 8u + 2u);
}

// Words of B remain in the range of its first words, about 0.5 to 2.5, for any number of products. The checksum weights
// the N O words by 1, 2, 3 ...
TEST(Shapes, KeepTheirMatricesBounded) {
    for (Shape const& s : compiled_shapes) {
        if (s == Shape(1))
            continue;
        float const weights = static_cast<float>(s.n * s.o) * static_cast<float>(s.n * s.o + 1) / 2;
        for (unsigned const load : {0u, 1u, 7u, 500u}) {
            for (unsigned i = 0; i < 20; ++i) {
                float const sum = std::bit_cast<float>(product_checksum(s, 1, i, load));
                EXPECT_GT(sum, 0.5f * weights) << s.m << "x" << s.n << "x" << s.o << " " << load;
                EXPECT_LT(sum, 2.5f * weights) << s.m << "x" << s.n << "x" << s.o << " " << load;
            }
        }
    }
}

// One product of 4x2x1, where B is a column of two words, by hand.
TEST(Shapes, FoldTheRowsOfAProductIntoB) {
    std::uint32_t word = 1 * 0x9E3779B1u + 3 * 0x85EBCA6Bu;
    word ^= word >> 15;
    float const start = std::bit_cast<float>(0x3F800000u | word >> 9);
    float const small = start / 4096;
    float const b[] = {start * 0.5f + 0.5f, start + 0.5f};
    // Row r of A has its small element in column r % 2, and the rest of 1/2 in the other.
    float c[4];
    for (unsigned row = 0; row < 4; ++row) {
        unsigned const column = row % 2;
        float const element = small * (1 + static_cast<float>(row * 2 + column) / 16);
        c[row] = element * b[column] + (0.5f - element) * b[1 - column];
    }
    float const expected = (c[0] + c[2]) + 2 * (c[1] + c[3]);
    EXPECT_NEAR(std::bit_cast<float>(product_checksum(Shape(4, 2, 1), 1, 3, 1)), expected, 1e-5f);
}

// Results of the square shapes from before shapes had three sizes.
TEST(Shapes, KeepTheResultsOfSquareProducts) {
    EXPECT_EQ(product_checksum(1, 1, 5, 0), 0x3f9de90du);
    EXPECT_EQ(product_checksum(1, 1, 5, 1), 0xbe6ee701u);
    EXPECT_EQ(product_checksum(1, 1, 5, 23), 0xbe69f12bu);
    EXPECT_EQ(product_checksum(2, 1, 5, 0), 0x41640a7cu);
    EXPECT_EQ(product_checksum(2, 1, 5, 1), 0x413c9544u);
    EXPECT_EQ(product_checksum(2, 1, 5, 23), 0x413ce421u);
    EXPECT_EQ(product_checksum(4, 1, 5, 0), 0x4337593du);
    EXPECT_EQ(product_checksum(4, 1, 5, 1), 0x4319c117u);
    EXPECT_EQ(product_checksum(4, 1, 5, 23), 0x4319e967u);
    EXPECT_EQ(product_checksum(8, 1, 5, 0), 0x452cc0f8u);
    EXPECT_EQ(product_checksum(8, 1, 5, 1), 0x451b7553u);
    EXPECT_EQ(product_checksum(8, 1, 5, 23), 0x451aea4bu);
}

// Section 6: values are uniform on 0 .. phi - 1, and 0 is disabled. A count of n draws with probability 1 / phi lies
// within five standard deviations of n / phi.
TEST(Values, AreUniformBelowPhi) {
    constexpr unsigned draws = 100000;
    for (unsigned const phi : {1u, 2u, 3u, 7u}) {
        std::vector<unsigned> counts(phi);
        for (unsigned i = 0; i < draws; ++i)
            ++counts.at(cpu::initial_value({.seed = 1, .divergence = phi}, i / 1000, i % 1000));
        double const expected = static_cast<double>(draws) / phi;
        double const bound = 5 * std::sqrt(expected * (1 - 1.0 / phi));
        for (unsigned const count : counts)
            EXPECT_NEAR(count, expected, bound) << phi;
    }
}

TEST(CachedPlan, ChoosesWarpsByTheSizeOfAState) {
    constexpr std::size_t room = 227 * 1024 - 256;
    auto const plan = [](std::size_t bytes, unsigned warps = 0) { return plan_cached(bytes, room, warps); };
    EXPECT_EQ(plan(8 * 256).warps_per_state, 1u);
    EXPECT_EQ(plan(8 * 256).states_per_block, max_cached_states);
    EXPECT_EQ(plan(8 * 1024).warps_per_state, 2u);
    EXPECT_EQ(plan(8 * 1024).states_per_block, 1u);
    EXPECT_EQ(plan(8 * 4096).warps_per_state, 8u);
    EXPECT_EQ(plan(room).warps_per_state, max_cached_warps);
    EXPECT_EQ(plan(room / 3, 1).states_per_block, 3u);
    EXPECT_EQ(plan(4).states_per_block, max_cached_states);
    EXPECT_EQ(plan_cached(40000, 48 * 1024, 1).states_per_block, 1u);
}

// The rules of Sudoku remove candidates and never return one, so no state repeats except the fixed point.
TEST(Sudoku, DoesNotOscillate) {
    for (std::uint64_t number = 0; number < 20; ++number) {
        Puzzle const puzzle = generated_puzzle(3, number, 28);
        Conclusion const stable = conclude(puzzle, 100, Until::change);
        Conclusion const found = conclude(puzzle, 100, Until::cycle);
        EXPECT_EQ(found.period, 1u);
        EXPECT_EQ(words_of(found), words_of(stable));
    }
    EXPECT_EQ(conclude(generated_puzzle(3, 0, 28), 1, Until::cycle).period, 0u);
    bench::Problem const asked = problem({{"rules", "sudoku"}, {"states", "3"}, {"clues", "30"}, {"until", "cycle"}});
    for (bench::Variant const& variant : experiment().variants) {
        if (variant.machine != bench::Machine::emulator || !variant.unsupported_reason(asked.axes).empty())
            continue;
        std::unique_ptr<bench::Case> const made = variant.make(asked);
        made->reset();
        made->run({});
        EXPECT_EQ(made->metrics().at("max_period"), 1) << variant.name;
        EXPECT_EQ(made->metrics().at("oscillating"), 0) << variant.name;
    }
}

// Digests of shards add up to the digest of the complete run for a variant that groups states.
TEST(Shards, AddUpToTheWhole) {
    for (bench::Variant const& variant : experiment().variants) {
        if (variant.machine != bench::Machine::emulator || (variant.name != "algorithm3" && variant.name != "auto"))
            continue;
        bench::Problem whole = problem({{"states", "11"}, {"range", "50"}, {"load", "1"}});
        auto const digest = [&](std::uint64_t first, std::uint64_t units) {
            bench::Problem part = whole;
            part.first_unit = first;
            part.units = units;
            std::unique_ptr<bench::Case> const made = variant.make(part);
            made->reset();
            made->run({});
            return made->digest();
        };
        EXPECT_EQ(digest(0, 11), digest(0, 4) + digest(4, 4) + digest(8, 3)) << variant.name;
    }
}

TEST(QueuePlan, FillsTheCardAndKeepsLanesBusy) {
    auto const plan = [](std::uint64_t states, unsigned range, unsigned load) {
        Job job;
        job.states = states;
        job.workload.range = range;
        job.workload.load = load;
        return plan_queue(job, 0, 0, 0);
    };
    EXPECT_EQ(plan(16384, 1024, 2000).warps_per_state, 1u);
    EXPECT_GT(plan(1, 65535, 20).warps_per_state, 100u);
    EXPECT_EQ(plan(1, 1, 20).warps_per_state, 1u);
    EXPECT_EQ(plan(16384, 32, 20).states_per_warp, 2u);
    EXPECT_EQ(plan(1u << 18, 32, 20).states_per_warp, 16u);
    EXPECT_EQ(plan(1u << 18, 1024, 20).states_per_warp, 1u);
    EXPECT_EQ(plan(16, 32, 20).states_per_warp, 1u);
    EXPECT_GT(plan(16384, 1024, 2000).bypass_threshold, plan(16384, 1024, 1).bypass_threshold);
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
