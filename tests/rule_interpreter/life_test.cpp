// The interpreter as a library, with rules that this test defines. Computation stops for a state that becomes stable,
// and on request for one that oscillates. Cells, passes and periods equal those of plain loops.

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

constexpr unsigned at(unsigned row, unsigned column) { return row * life_side + column; }

Cells const block = grid({at(1, 1), at(1, 2), at(2, 1), at(2, 2)});
Cells const blinker = grid({at(4, 4), at(4, 5), at(4, 6)});

// Period 3, 13 x 13 cells.
Cells pulsar() {
    constexpr unsigned edges[] = {2, 7, 9, 14};
    constexpr unsigned inner[] = {4, 5, 6, 10, 11, 12};
    Cells cells(life_cells);
    for (unsigned const edge : edges) {
        for (unsigned const other : inner)
            cells[at(edge, other)] = cells[at(other, edge)] = 1;
    }
    return cells;
}

// Period 8, the longest that is detected: two blocks of 3 x 3 cells that touch at a corner.
Cells figure_eight() {
    Cells cells(life_cells);
    for (unsigned row = 0; row < 3; ++row) {
        for (unsigned column = 0; column < 3; ++column)
            cells[at(5 + row, 5 + column)] = cells[at(8 + row, 8 + column)] = 1;
    }
    return cells;
}

// Returns after 4 x 17 passes, which is too long to be detected.
Cells const glider = grid({at(0, 1), at(1, 2), at(2, 0), at(2, 1), at(2, 2)});
// Becomes four blinkers.
Cells const four = grid({at(8, 7), at(8, 8), at(8, 9), at(9, 8)});

// Stable states, oscillating states, a state that dies, an empty one, and some random ones.
std::vector<Cells> grids() {
    std::vector<Cells> all = {block, blinker, grid({5}), grid({}), pulsar(), figure_eight(), glider, four};
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

Cells joined(std::vector<Cells> const& states) {
    Cells all;
    for (Cells const& cells : states)
        all.insert(all.end(), cells.begin(), cells.end());
    return all;
}

Cells state_of(LifeResult const& found, std::size_t state) {
    auto const first = found.cells.begin() + static_cast<std::ptrdiff_t>(state * life_cells);
    return {first, first + life_cells};
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
    LifeResult const found = run_life(GetParam(), joined(grids()), bound, Until::change);
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
        EXPECT_EQ(state_of(found, state), cells) << "state " << state;
        EXPECT_EQ(found.last_change[state], last_change) << "state " << state;
    }
    EXPECT_EQ(found.last_change[0], 0u);
    EXPECT_EQ(found.last_change[1], bound);
    EXPECT_EQ(found.last_change[2], 1u);
}

// The length of an oscillation, against a comparison of all cells with the last max_period states.
TEST_P(LifeOf, ReportsTheLengthOfOscillations) {
    constexpr unsigned bound = 40;
    LifeResult const found = run_life(GetParam(), joined(grids()), bound, Until::cycle);
    for (std::size_t state = 0; state < grids().size(); ++state) {
        std::vector<Cells> states = {grids()[state]};  // the latest last
        unsigned period = 0;
        while (period == 0 && states.size() <= bound) {
            Cells const next = step(states.back());
            for (unsigned k = 1; period == 0 && k <= max_period && k <= states.size(); ++k)
                period = states[states.size() - k] == next ? k : 0;
            states.push_back(next);
        }
        auto const passes = static_cast<unsigned>(states.size() - 1);
        EXPECT_EQ(found.periods[state], period) << "state " << state;
        EXPECT_EQ(found.last_change[state], period == 1 ? passes - 1 : passes) << "state " << state;
        EXPECT_EQ(state_of(found, state), states.back()) << "state " << state;
    }
    EXPECT_EQ((std::vector<unsigned>(found.periods.begin(), found.periods.begin() + 8)),
              (std::vector<unsigned>{1, 2, 1, 1, 3, 8, 0, 2}));
}

// The paper's weaker test compares the set of active values. In a blinker, the same four values are active in every
// pass, so the paper's test stops although the state still changes.
TEST_P(LifeOf, EqualActivityDoesNotImplyStability) {
    LifeResult const found = run_life(GetParam(), blinker, 12, Until::activity);
    EXPECT_EQ(found.last_change[0], 1u);
    EXPECT_EQ(found.cells, blinker);
}

INSTANTIATE_TEST_SUITE_P(Teams, LifeOf,
                         testing::Values("thread", "warp", "block", "queue", "algorithm3", "cached", "cached_block"),
                         [](auto const& of) { return std::string(of.param); });

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
