// The slides' first board, 15 x 15 with 71 black and 70 white pieces, "happens to be legal in Go". Measures how often a
// random board is legal.

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "experiments/random_grids/boards.hpp"
#include "reference_cpu/random_grids/references.hpp"
#include "tests/random_grids/variants.hpp"

namespace lockstep::random_grids::tests {
namespace {

// Returns true if each group of neighbouring pieces of one colour touches an empty site.
bool legal_in_go(Board const& board) {
    long const width = board.shape.width;
    long const height = board.shape.height;
    std::vector<bool> seen(board.sites.size(), false);
    for (std::size_t start = 0; start < board.sites.size(); ++start) {
        if (board.sites[start] == 0 || seen[start])
            continue;
        bool free = false;
        std::vector<std::size_t> group = {start};
        seen[start] = true;
        for (std::size_t next = 0; next < group.size(); ++next) {
            long const row = static_cast<long>(group[next]) / width;
            long const column = static_cast<long>(group[next]) % width;
            for (auto const& [down, right] : std::array<std::pair<int, int>, 4>{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}}) {
                if (row + down < 0 || row + down >= height || column + right < 0 || column + right >= width)
                    continue;
                std::size_t const site = static_cast<std::size_t>((row + down) * width + column + right);
                if (board.sites[site] == 0)
                    free = true;
                if (board.sites[site] == board.sites[start] && !seen[site]) {
                    seen[site] = true;
                    group.push_back(site);
                }
            }
        }
        if (!free)
            return false;
    }
    return true;
}

TEST(LegalPosition, GroupsNeedALiberty) {
    EXPECT_TRUE(legal_in_go({{3, 1}, {1, 0, 2}}));
    EXPECT_FALSE(legal_in_go({{3, 1}, {1, 2, 0}}));
    EXPECT_TRUE(legal_in_go({{3, 2}, {1, 1, 0, 2, 2, 0}}));
    EXPECT_FALSE(legal_in_go({{3, 2}, {1, 1, 2, 2, 2, 0}}));
}

// About one in eleven: 1845 of 20 000 boards of seed 1 are legal.
TEST(LegalPosition, OfRandomBoardsOneInEleven) {
    unsigned legal = 0;
    unsigned boards = 0;
    for (std::uint64_t unit = 0; unit < 40; ++unit) {
        bench::Problem const asked = problem("15x15", "71,70", 40, 50, "stored");
        for (Board const& board : decode_boards(read_workload(asked.axes), halving_stream(asked, unit, 1))) {
            legal += legal_in_go(board) ? 1 : 0;
            ++boards;
        }
    }
    EXPECT_NEAR(static_cast<double>(legal) / boards, 0.092, 0.026);  // four sigma
}

}  // namespace
}  // namespace lockstep::random_grids::tests
