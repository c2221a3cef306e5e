// `lockstep interpret`: the same file for every variant and machine, puzzle files, and messages for invalid options.
// Also the rules of Sudoku on grids with a known answer.

#include "experiments/rule_interpreter/command.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"
#include "tests/rule_interpreter/variants.hpp"
#include "tests/support/tool.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

using lockstep::tests::Ran;

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
    EXPECT_NE(ran.err.find("5 characters, must be 81"), std::string::npos) << ran.err;
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
    EXPECT_NE(error({"--machine", "emulator", "--variant", "cached"}).find("does not support this"), std::string::npos);
    EXPECT_NE(error({"--frobnicate"}).find("--help"), std::string::npos);
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
    for (unsigned const n : {1u, 2u, 4u, 8u}) {
        for (unsigned const load : {1u, 20u, 2000u})
            EXPECT_NE(product_checksum(n, 1, 5, load), product_checksum(n, 1, 5, load + 1)) << n << " " << load;
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
