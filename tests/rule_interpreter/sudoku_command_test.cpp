// `lockstep sudoku`: the same lines on every machine, files with bad lines, and messages for invalid options.

#include "experiments/rule_interpreter/sudoku_command.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "tests/support/tool.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

class SudokuCommand : public lockstep::tests::ToolTest {
protected:
    SudokuCommand() : ToolTest("sudoku", sudoku_command) {}
};

TEST_F(SudokuCommand, EveryMachineWritesTheSameBytes) {
    std::vector<std::string> job = {"--generate", "20", "--clues", "27", "--limit", "3", "--machine"};
    auto const on = [&](char const* machine) {
        std::vector<std::string> all = job;
        all.emplace_back(machine);
        return csv_of(all);
    };
    EXPECT_GT(on("cpu").size(), 20u * 81);
    EXPECT_EQ(on("emulator"), on("cpu"));
}

TEST_F(SudokuCommand, BadLinesAreNamedAfterTheOthersAreSolved) {
    std::string const easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    lockstep::tests::Ran const ran =
        run({file("puzzles.txt", easy + "\n" + easy.substr(1) + "x\n55" + easy.substr(2) + "\n" + std::string(81, '.')),
             "--machine", "cpu"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("line 2 of "), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("character 81 is 'x'"), std::string::npos) << ran.err;
    std::string const expected =
        "line     solutions puzzle" + std::string(76, ' ') + "solution\n1        one       " + easy +
        " 534678912672195348198342567859761423426853791713924856961537284287419635345286179\n3        none      55" +
        easy.substr(2) + " -\n4        several   " + std::string(81, '.') + " -\n";
    EXPECT_EQ(ran.out.substr(0, expected.size()), expected);
    EXPECT_NE(ran.out.find("1 without a solution, 1 with one, 1 with several"), std::string::npos) << ran.out;
}

TEST_F(SudokuCommand, TheDocumentHasTheNumberOfBadLines) {
    std::string const puzzles = file("puzzles.txt", "123\n" + std::string(81, '.') + "\n\nx\n");
    lockstep::tests::Ran const ran = run({puzzles, "--machine", "cpu", "--json"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.out.find("\"puzzles\": 1"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("\"invalid_lines\": 2"), std::string::npos) << ran.out;
    EXPECT_NE(output_of({"--generate", "1", "--machine", "cpu", "--json"}).find("\"invalid_lines\": 0"),
              std::string::npos);
}

TEST_F(SudokuCommand, StandardInputHasThatNameInMessages) {
    int const own = dup(STDIN_FILENO);
    int const bad = open(file("bad.txt", "123\n" + std::string(81, '.') + "\n").c_str(), O_RDONLY);
    ASSERT_EQ(dup2(bad, STDIN_FILENO), STDIN_FILENO);
    lockstep::tests::Ran const ran = run({"-", "--machine", "cpu"});
    dup2(own, STDIN_FILENO);
    close(own);
    close(bad);
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("line 1 of standard input: "), std::string::npos) << ran.err;
}

TEST_F(SudokuCommand, GeneratedPuzzlesAreInOneColumnAndSolutionsInAnother) {
    std::istringstream lines(output_of({"--generate", "12", "--clues", "34", "--machine", "cpu"}));
    std::string number, solutions, puzzle, solution;
    lines >> number >> solutions >> puzzle >> solution;
    EXPECT_EQ(number + " " + solutions + " " + puzzle + " " + solution, "line solutions puzzle solution");
    std::set<std::string> seen;
    for (int i = 1; i <= 12; ++i) {
        lines >> number >> solutions >> puzzle >> solution;
        EXPECT_EQ(number, std::to_string(i));
        EXPECT_EQ(std::count(puzzle.begin(), puzzle.end(), '.'), 81 - 34);
        EXPECT_EQ(solution.find_first_not_of("123456789"), solutions == "one" ? std::string::npos : 0) << solution;
        EXPECT_EQ(solution.size(), solutions == "one" ? 81u : 1u);
        seen.insert(solutions);
    }
    EXPECT_EQ(seen, (std::set<std::string>{"one", "several"}));
}

// A search that stops at the first solution cannot tell one from several.
TEST_F(SudokuCommand, ALimitOf1CountsPuzzlesWithSomeSolution) {
    std::vector<std::string> const job = {"--generate", "3", "--clues", "20", "--machine", "cpu", "--json", "--limit"};
    std::string const first = output_of(lockstep::tests::joined(job, {"1"}));
    EXPECT_NE(first.find("\"some\": 3"), std::string::npos) << first;
    EXPECT_NE(first.find("\"one\": null"), std::string::npos) << first;
    EXPECT_NE(first.find("\"several\": null"), std::string::npos) << first;
    EXPECT_NE(output_of({"--generate", "3", "--clues", "20", "--machine", "cpu", "--limit", "1"})
                  .find("3 puzzles: 0 without a solution, 3 with at least one\n"),
              std::string::npos);
    EXPECT_NE(output_of({"--generate", "1", "--clues", "20", "--machine", "cpu"}).find("1 puzzle: 0 without"),
              std::string::npos);
    std::string const second = output_of(lockstep::tests::joined(job, {"2"}));
    EXPECT_NE(second.find("\"several\": 3"), std::string::npos) << second;
    EXPECT_EQ(second.find("some"), std::string::npos) << second;
}

TEST_F(SudokuCommand, WrongOptionsGetOneClearLine) {
    EXPECT_EQ(error_of({}), "no puzzles (they come from a file or from --generate) Try: lockstep sudoku puzzles.txt");
    EXPECT_EQ(error_of({"a", "b"}), "two files of puzzles (a and b) Join them.");
    EXPECT_EQ(error_of({"a", "--generate", "3"}),
              "two sources of puzzles (there are a file and --generate) Leave one of them out.");
    EXPECT_EQ(error_of({"--generate", "0"}), "no puzzles to generate (--generate is 0) Give at least 1.");
    EXPECT_NE(error_of({"--generate", "16777217"}).find("too many puzzles: 16777217"), std::string::npos);
    for (std::vector<std::string> const& option :
         {std::vector<std::string>{"--clues", "30"}, {"--minimal"}, {"--seed", "4"}}) {
        EXPECT_EQ(error_of(lockstep::tests::joined({"a"}, option)),
                  option.front() +
                      " has no effect on a file (it applies only to generated puzzles) Use --generate N, or leave it "
                      "out.");
    }
    EXPECT_NE(error_of({"--generate", "2", "--minimal", "--clues", "30"}).find("--clues has no effect with --minimal"),
              std::string::npos);
    EXPECT_NE(error_of({"/nowhere"}).find("cannot read"), std::string::npos);
    EXPECT_NE(error_of({"--generate", "1", "--limit", "0"}).find("limit 0"), std::string::npos);
    EXPECT_NE(error_of({"--generate", "1", "--clues", "82"}).find("too many clues: 82 (a puzzle has 81"),
              std::string::npos);
    EXPECT_NE(error_of({"--generate", "1", "--machine", "gpu"}).find("unknown machine"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
