// The search moves to the GPU only if the CPU would need longer for the rest than the GPU needs to start.

#include "experiments/rule_interpreter/sudoku_engines.hpp"

#include <gtest/gtest.h>

namespace lockstep::rule_interpreter::tests {
namespace {

// Engines whose time passes by what they do. The count of a solution is 1 on the CPU and 2 on the GPU.
struct FakeEngines {
    explicit FakeEngines(double per_puzzle, bool gpu = true) : seconds_per_puzzle(per_puzzle), has_gpu(gpu) {}

    SearchEngines engines() {
        auto const counted = [](std::size_t size, std::uint64_t count) {
            std::vector<cpu::Solutions> all(size);
            for (cpu::Solutions& one : all)
                one.count = count;
            return all;
        };
        return {[=, this](std::span<Puzzle const> some, std::uint64_t) {
                    now += seconds_per_puzzle * static_cast<double>(some.size());
                    return counted(some.size(), 1);
                },
                [=](std::span<Puzzle const> some, std::uint64_t) { return counted(some.size(), 2); },
                [this] {
                    ++gpu_questions;
                    return has_gpu;
                },
                [this] { return now; }};
    }

    double seconds_per_puzzle;
    bool has_gpu;
    double now = 100;
    unsigned gpu_questions = 0;
};

std::size_t on_gpu(Searched const& searched) {
    std::size_t count = 0;
    for (cpu::Solutions const& one : searched.solutions)
        count += one.count == 2;
    return count;
}

TEST(SudokuEngines, FewPuzzlesStayOnTheCpuAndTheGpuIsNotOpened) {
    FakeEngines fake(1e-6);
    std::vector<Puzzle> const puzzles(10 * puzzles_per_look);
    Searched const searched = search_together(puzzles, 2, fake.engines());
    EXPECT_EQ(searched.solutions.size(), puzzles.size());
    EXPECT_EQ(on_gpu(searched), 0u);
    EXPECT_EQ(searched.machine, "cpu");
    EXPECT_EQ(fake.gpu_questions, 0u);
}

TEST(SudokuEngines, TheGpuTakesTheRestOfALongSearch) {
    FakeEngines fake(1e-4);
    std::vector<Puzzle> const puzzles(10 * puzzles_per_look);
    Searched const searched = search_together(puzzles, 2, fake.engines());
    EXPECT_EQ(searched.solutions.size(), puzzles.size());
    EXPECT_EQ(on_gpu(searched), 9 * puzzles_per_look);
    EXPECT_EQ(searched.solutions.front().count, 1u);  // the first are the CPU's
    EXPECT_EQ(searched.machine, "cpu and cuda");
}

TEST(SudokuEngines, WithoutAGpuTheCpuDoesAll) {
    FakeEngines fake(1e-4, false);
    std::vector<Puzzle> const puzzles(3 * puzzles_per_look + 1);
    Searched const searched = search_together(puzzles, 2, fake.engines());
    EXPECT_EQ(searched.solutions.size(), puzzles.size());
    EXPECT_EQ(on_gpu(searched), 0u);
    EXPECT_TRUE(search_together({}, 2, fake.engines()).solutions.empty());
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
