// Legal positions in Go, Gomoku and Hex: known numbers of positions, all games of small boards, positions by hand, and
// how often a random board of the slides is legal.

#include "reference_cpu/random_grids/legal_position.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "experiments/random_grids/boards.hpp"
#include "reference_cpu/random_grids/references.hpp"
#include "tests/random_grids/variants.hpp"

namespace lockstep::random_grids::tests {
namespace {

using Sites = std::vector<unsigned char>;

// From lines as `lockstep grids` prints them: X is black, O is white.
Board board_of(std::vector<std::string> const& lines) {
    Board board{{static_cast<unsigned>(lines[0].size()), static_cast<unsigned>(lines.size())}, {}};
    for (std::string const& line : lines) {
        for (char const sign : line)
            board.sites.push_back(static_cast<unsigned char>(board_signs.find(sign)));
    }
    return board;
}

// Calls visit(board) with every board whose sites have the colours `first` to `last`.
template <class Visit>
void each_board(Shape const& shape, unsigned char first, unsigned char last, Visit&& visit) {
    Board board{shape, Sites(shape.sites(), first)};
    for (;;) {
        visit(board);
        std::size_t site = 0;
        while (site < board.sites.size() && board.sites[site] == last)
            board.sites[site++] = first;
        if (site == board.sites.size())
            return;
        ++board.sites[site];
    }
}

template <class Legal>
std::set<Sites> legal_boards(Shape const& shape, Legal&& legal) {
    std::set<Sites> found;
    each_board(shape, 0, white, [&](Board const& board) {
        if (legal(board))
            found.insert(board.sites);
    });
    return found;
}

// Plays all games from here; a game ends when has_won(board, colour of the last stone).
template <class HasWon>
void play(Board& board, unsigned char colour, HasWon const& has_won, std::set<Sites>& reached) {
    if (!reached.insert(board.sites).second)
        return;
    auto const other = static_cast<unsigned char>(black + white - colour);
    if (has_won(board, other))
        return;
    for (unsigned char& site : board.sites) {
        if (site != 0)
            continue;
        site = colour;
        play(board, other, has_won, reached);
        site = 0;
    }
}

template <class HasWon>
std::set<Sites> played(Shape const& shape, HasWon const& has_won) {
    std::set<Sites> reached;
    Board board{shape, Sites(shape.sites(), 0)};
    play(board, black, has_won, reached);
    return reached;
}

// The numbers of legal Go positions that Tromp and Farnebäck published.
TEST(LegalPosition, GoHasTheKnownNumbersOfPositions) {
    EXPECT_EQ(legal_boards({1, 1}, legal_in_go).size(), 1u);
    EXPECT_EQ(legal_boards({2, 2}, legal_in_go).size(), 57u);
    EXPECT_EQ(legal_boards({3, 3}, legal_in_go).size(), 12675u);
}

TEST(LegalPosition, GroupsNeedALiberty) {
    EXPECT_TRUE(legal_in_go(board_of({"X.O"})));
    EXPECT_FALSE(legal_in_go(board_of({"XO."})));
    EXPECT_TRUE(legal_in_go(board_of({"XX.", "OO."})));
    EXPECT_FALSE(legal_in_go(board_of({"XXO", "OO."})));
}

// With rows of three on 3 x 3, Gomoku is tic-tac-toe, which has 5478 positions.
TEST(LegalPosition, GomokuEqualsAllGamesOfTicTacToe) {
    auto const legal = legal_boards({3, 3}, [](Board const& board) { return legal_in_gomoku(board, 3); });
    EXPECT_EQ(legal.size(), 5478u);
    EXPECT_EQ(legal,
              played({3, 3}, [](Board const& board, unsigned char colour) { return has_row(board, colour, 3); }));
}

TEST(LegalPosition, HexEqualsAllGamesOnSmallBoards) {
    for (Shape const shape : {Shape{2, 2}, Shape{3, 2}, Shape{3, 3}})
        EXPECT_EQ(legal_boards(shape, legal_in_hex), played(shape, connects)) << shape.width << "x" << shape.height;
}

// Negative control: without the rule that the last stone ends the game, other positions count.
TEST(LegalPosition, GamesFindAWrongRule) {
    auto const wrong = legal_boards({3, 3}, [](Board const& board) {
        auto const blacks = std::count(board.sites.begin(), board.sites.end(), black);
        auto const whites = std::count(board.sites.begin(), board.sites.end(), white);
        return (blacks == whites || blacks == whites + 1) && !(connects(board, black) && connects(board, white));
    });
    EXPECT_NE(wrong, played({3, 3}, connects));
}

// A full Hex board has exactly one winner.
TEST(LegalPosition, OnePlayerConnectsAFullBoard) {
    for (Shape const shape : {Shape{1, 1}, Shape{3, 3}, Shape{4, 3}}) {
        each_board(shape, black, white,
                   [](Board const& board) { ASSERT_NE(connects(board, black), connects(board, white)); });
    }
}

TEST(LegalPosition, HexConnectsAlongOneDiagonal) {
    EXPECT_TRUE(connects(board_of({".X", "X."}), black));
    EXPECT_FALSE(connects(board_of({"X.", ".X"}), black));
    EXPECT_FALSE(connects(board_of({"XX", ".."}), black));
    EXPECT_TRUE(connects(board_of({"..O", "OO."}), white));
}

TEST(LegalPosition, TheLastStoneOfGomokuEndsAllRows) {
    EXPECT_TRUE(legal_in_gomoku(board_of({"XXXXX", "OOOO."})));
    EXPECT_FALSE(legal_in_gomoku(board_of({"XXXXX", "OOO.O", "....O"})));  // white has moved since
    EXPECT_FALSE(legal_in_gomoku(board_of({"XXXXX", "OOOOO", "X...."})));
    EXPECT_FALSE(legal_in_gomoku(board_of({"XX...", "....."})));  // black has moved twice
    EXPECT_FALSE(legal_in_gomoku(board_of({"O....", "....."})));
    EXPECT_TRUE(legal_in_gomoku(board_of({"XXXXXXXXX", "OOOO.OOOO"})));  // two rows of five share a stone
    EXPECT_FALSE(legal_in_gomoku(board_of({"XXXXX.OO.", "OOO.OO.OO", "XXXXX...."})));
    EXPECT_TRUE(legal_in_gomoku(board_of({"X....", ".X...", "..X..", "...X.", "OOOOX"})));
}

// Of the boards of 71 and 70 pieces of seed 1.
TEST(LegalPosition, OfRandomBoardsSomeAreLegal) {
    constexpr unsigned boards = 2000;
    double go = 0;
    double gomoku = 0;
    double hex = 0;
    for (std::uint64_t unit = 0; unit < boards / 50; ++unit) {
        bench::Problem const asked = problem("15x15", "71,70", boards / 50, 50, "stored");
        for (Board const& board : decode_boards(read_workload(asked.axes), halving_stream(asked, unit, 1))) {
            go += legal_in_go(board) ? 1 : 0;
            gomoku += legal_in_gomoku(board) ? 1 : 0;
            hex += legal_in_hex(board) ? 1 : 0;
        }
    }
    EXPECT_NEAR(go / boards, 0.092, 0.026);  // four sigma, as below
    EXPECT_NEAR(gomoku / boards, 0.24, 0.038);
    EXPECT_GT(hex / boards, 0.9);
}

// Of the first boards of the streams that `lockstep grids --variant warpwise` draws.
TEST(LegalPosition, TheBoardOfTheFiguresIsTheFirstThatIsLegal) {
    bench::Problem const asked = problem("15x15", "71,70", 1000, 1, "stored", "philox10");
    for (std::uint64_t unit = 0;; ++unit) {
        Board const board = decode_boards(read_workload(asked.axes), halving_stream(asked, unit, 32))[0];
        if (!legal_in_go(board) || !legal_in_gomoku(board) || !legal_in_hex(board))
            continue;
        EXPECT_EQ(unit, 50u);  // legal_stream in schematics.cu
        break;
    }
}

}  // namespace
}  // namespace lockstep::random_grids::tests
