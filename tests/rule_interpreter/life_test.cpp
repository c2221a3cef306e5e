// The interpreter as a library, with rules that this test defines. Computation stops for a state that becomes stable,
// an oscillating state is reported to have reached the bound, and both equal plain loops.

#include "tests/rule_interpreter/life.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace lockstep::rule_interpreter::tests {
namespace {

using Cells = std::vector<unsigned>;

Cells step(Cells const& cells) {
    Cells next(life_cells);
    for (unsigned i = 0; i < life_cells; ++i) {
        unsigned living = 0;
        for (int down = -1; down <= 1; ++down) {
            for (int right = -1; right <= 1; ++right) {
                unsigned const row = (i / life_side + life_side + static_cast<unsigned>(down)) % life_side;
                unsigned const column = (i % life_side + life_side + static_cast<unsigned>(right)) % life_side;
                if (down != 0 || right != 0)
                    living += cells[row * life_side + column];
            }
        }
        next[i] = living == 3 || (living == 2 && cells[i] == 1) ? 1 : 0;
    }
    return next;
}

Cells grid(std::vector<unsigned> const& living) {
    Cells cells(life_cells);
    for (unsigned const i : living)
        cells[i] = 1;
    return cells;
}

// A block, which is stable; a blinker, which is never stable; a state that dies; some random states.
std::vector<Cells> grids() {
    std::vector<Cells> all = {grid({10, 11, 19, 20}), grid({40, 41, 42}), grid({5}), grid({})};
    std::uint32_t word = 12345;
    for (int i = 0; i < 3; ++i) {
        Cells cells(life_cells);
        for (unsigned& cell : cells) {
            word = word * 1664525u + 1013904223u;
            cell = word >> 30 == 0 ? 1 : 0;
        }
        all.push_back(cells);
    }
    return all;
}

class LifeOf : public testing::TestWithParam<char const*> {
protected:
    void SetUp() override {
        if (!why_no_life_here().empty())
            GTEST_SKIP() << why_no_life_here();
    }
};

TEST_P(LifeOf, BecomesStableOrReachesTheBound) {
    constexpr unsigned bound = 12;
    Cells start;
    for (Cells const& cells : grids())
        start.insert(start.end(), cells.begin(), cells.end());
    LifeResult const found = run_life(GetParam(), start, bound, false);
    for (std::size_t state = 0; state < grids().size(); ++state) {
        Cells cells = grids()[state];
        unsigned last_change = 0;
        for (unsigned pass = 1; pass <= bound; ++pass) {
            Cells const next = step(cells);
            if (next == cells)
                break;
            last_change = pass;
            cells = next;
        }
        auto const first = found.cells.begin() + static_cast<std::ptrdiff_t>(state * life_cells);
        EXPECT_EQ(Cells(first, first + life_cells), cells) << "state " << state;
        EXPECT_EQ(found.last_change[state], last_change) << "state " << state;
    }
    EXPECT_EQ(found.last_change[0], 0u);
    EXPECT_EQ(found.last_change[1], bound);
    EXPECT_EQ(found.last_change[2], 1u);
}

// The paper's weaker test compares the set of active values. In a blinker, the same four values are active in every
// pass, so the paper's test stops although the state still changes.
TEST_P(LifeOf, EqualActivityDoesNotImplyStability) {
    LifeResult const found = run_life(GetParam(), grid({40, 41, 42}), 12, true);
    EXPECT_EQ(found.last_change[0], 1u);
    EXPECT_EQ(found.cells, grid({40, 41, 42}));
}

INSTANTIATE_TEST_SUITE_P(Teams, LifeOf, testing::Values("thread", "warp", "block", "queue", "algorithm3"),
                         [](auto const& of) { return std::string(of.param); });

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
