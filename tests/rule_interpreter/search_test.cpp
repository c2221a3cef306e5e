// The search on bit boards finds as many solutions as backtracking does.

#include <gtest/gtest.h>

#include "kernels/rule_interpreter/search.hpp"
#include "reference_cpu/rule_interpreter/states.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

// A puzzle with 17 clues and one solution (command_test.cpp has it, too).
constexpr char const* seventeen = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";

void expect_same(Puzzle const& puzzle, std::uint64_t limit) {
    cpu::Solutions const found = cpu::count_solutions(puzzle, limit);
    cpu::Solutions const expected = backtrack(puzzle, limit);
    EXPECT_EQ(found.count, expected.count) << to_line(puzzle);
    EXPECT_TRUE(limit == 1 || found.count != 1 || found.solution == expected.solution) << to_line(puzzle);
    if (found.count == 0)
        return;
    EXPECT_EQ(solutions_up_to(found.solution, 2), 1u) << to_line(found.solution);
    for (unsigned cell = 0; cell < cells; ++cell) {
        EXPECT_NE(found.solution[cell], 0);
        EXPECT_TRUE(puzzle[cell] == 0 || found.solution[cell] == puzzle[cell]);
    }
}

TEST(Search, CountsAsBacktrackingDoes) {
    for (unsigned const clues : {24u, 28u, 34u, 50u, 81u}) {
        for (std::uint64_t number = 0; number < 20; ++number) {
            for (std::uint64_t const limit : {1, 2, 40})
                expect_same(generated_puzzle(3, number, clues), limit);
        }
    }
}

TEST(Search, CountsNoneForAWrongDigit) {
    for (std::uint64_t number = 0; number < 40; ++number) {
        Puzzle puzzle = generated_puzzle(4, number, 36);
        unsigned const cell = static_cast<unsigned>(number * 2);
        puzzle[cell] = static_cast<std::uint8_t>(puzzle[cell] % 9 + 1);
        expect_same(puzzle, 2);
    }
    Puzzle twice{};
    twice[0] = twice[8] = 5;
    EXPECT_EQ(cpu::count_solutions(twice, 2).count, 0u);
}

TEST(Search, TellsOneFromSeveral) {
    EXPECT_EQ(cpu::count_solutions(parse_puzzle(seventeen), 2).count, 1u);
    EXPECT_EQ(cpu::count_solutions(Puzzle{}, 2).count, 2u);
    EXPECT_EQ(cpu::count_solutions(Puzzle{}, 1000).count, 1000u);
    Puzzle fewer = parse_puzzle(seventeen);
    fewer[7] = 0;  // no puzzle of 16 clues has one solution
    EXPECT_EQ(cpu::count_solutions(fewer, 2).count, 2u);
}

// By hand: without the digits 1 and 2, each cell that lacks a digit may only get one of these two, and exchanging them
// everywhere gives a second solution.
TEST(Search, CountsTheExchangeOfTwoDigits) {
    Puzzle grid = parse_puzzle("123456789456789123789123456231564897564897231897231564312645978645978312978312645");
    for (std::uint8_t& digit : grid)
        digit = digit <= 2 ? std::uint8_t{0} : digit;
    EXPECT_GE(cpu::count_solutions(grid, 100).count, 2u);
    EXPECT_EQ(cpu::count_solutions(grid, 100).count % 2, 0u);
    expect_same(grid, 100);
}

TEST(Search, DoesNotDependOnNamesOfDigitsOrOnTheOrderOfPuzzles) {
    std::vector<Puzzle> puzzles;
    for (std::uint64_t number = 0; number < 70; ++number)
        puzzles.push_back(generated_puzzle(6, number, 26));
    std::vector<cpu::Solutions> const all = cpu::count_all_solutions(puzzles, 5);
    for (std::size_t i = 0; i < puzzles.size(); ++i) {
        EXPECT_EQ(all[i].count, cpu::count_solutions(puzzles[i], 5).count);
        Puzzle renamed = puzzles[i];
        for (std::uint8_t& digit : renamed)
            digit = digit == 0 ? digit : static_cast<std::uint8_t>(10 - digit);
        EXPECT_EQ(cpu::count_solutions(renamed, 5).count, all[i].count);
    }
}

TEST(Search, MinimalPuzzlesNeedEveryClue) {
    for (Puzzle puzzle : cpu::minimal_puzzles(9, 3)) {
        EXPECT_EQ(solutions_up_to(puzzle, 2), 1u);
        for (std::uint8_t& cell : puzzle) {
            std::uint8_t const clue = cell;
            if (clue == 0)
                continue;
            cell = 0;
            EXPECT_EQ(solutions_up_to(puzzle, 2), 2u);
            cell = clue;
        }
    }
}

// The kernel, on few and on many items: the empty grid is split among launches.
TEST(Search, TheKernelCountsAsTheCpuDoes) {
    std::vector<Puzzle> puzzles = {Puzzle{}, parse_puzzle(seventeen)};
    for (std::uint64_t number = 0; number < 40; ++number)
        puzzles.push_back(generated_puzzle(8, number, 20 + static_cast<unsigned>(number)));
    puzzles[5][80] = static_cast<std::uint8_t>(puzzles[5][80] % 9 + 1);
    for (std::uint64_t const limit : {1, 2, 50}) {
        std::vector<cpu::Solutions> const expected = cpu::count_all_solutions(puzzles, limit);
        std::vector<cpu::Solutions> const found = emulator::count_all_solutions(puzzles, limit);
        for (std::size_t i = 0; i < puzzles.size(); ++i) {
            EXPECT_EQ(found[i].count, expected[i].count) << i;
            EXPECT_TRUE(limit == 1 || expected[i].count != 1 || found[i].solution == expected[i].solution) << i;
        }
    }
    EXPECT_TRUE(emulator::count_all_solutions({}, 2).empty());
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
