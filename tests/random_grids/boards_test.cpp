// Boards as text, PBM, PGM, JSON and PNG.

#include "experiments/random_grids/boards.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "experiments/random_grids/picture.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::random_grids::tests {
namespace {

std::vector<Board> two_boards() { return {{{3, 2}, {0, 1, 2, 1, 0, 0}}, {{3, 2}, {2, 2, 2, 2, 2, 2}}}; }

TEST(Boards, DecodeNestedPlanes) {
    Workload workload;
    workload.shape = {33, 2};
    workload.occupied = {3, 1};
    workload.length = 1;
    // Plane 0: sites (0,0), (0,32), (1,31); plane 1: (0,32).
    bench::UnitResult const words = {1u, 1u, 0x80000000u, 0u, 0u, 1u, 0u, 0u};
    std::vector<Board> const boards = decode_boards(workload, words);
    ASSERT_EQ(boards.size(), 1u);
    EXPECT_EQ(boards[0].at(0, 0), 1);
    EXPECT_EQ(boards[0].at(0, 32), 2);
    EXPECT_EQ(boards[0].at(1, 31), 1);
    unsigned sum = 0;
    for (unsigned char const site : boards[0].sites)
        sum += site;
    EXPECT_EQ(sum, 4u);
}

TEST(Boards, Text) { EXPECT_EQ(text_of(two_boards()), ".XO\nX..\n\nOOO\nOOO\n"); }

TEST(Boards, Pbm) {
    EXPECT_EQ(pbm_of({{{3, 2}, {0, 1, 1, 1, 0, 0}}, {{1, 1}, {1}}}), "P1\n3 2\n0 1 1\n1 0 0\nP1\n1 1\n1\n");
}

TEST(Boards, LinesOfPbmStayBelow70Characters) {
    std::string const text = pbm_of({{{100, 1}, std::vector<unsigned char>(100, 1)}});
    std::size_t longest = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\n')
            continue;
        longest = std::max(longest, i - start);
        start = i + 1;
    }
    EXPECT_LE(longest, 70u);
}

TEST(Boards, Pgm) { EXPECT_EQ(pgm_of(two_boards(), 2), "P2\n3 2\n2\n0 1 2\n1 0 0\nP2\n3 2\n2\n2 2 2\n2 2 2\n"); }

TEST(Boards, Json) { EXPECT_EQ(json_boards(two_boards()), "\n  [[0,1,2], [1,0,0]],\n  [[2,2,2], [2,2,2]]"); }

// The complete file of one black pixel, which every PNG reader accepts; the checksums are those of zlib.
TEST(Png, OnePixel) {
    std::string const file = png_of(Image(1, 1, {0, 0, 0}));
    ASSERT_EQ(file.size(), 8u + 25 + 12 + 12 + 12);
    EXPECT_EQ(file.substr(0, 8), std::string("\x89PNG\r\n\x1a\n"));
    EXPECT_EQ(file.substr(12, 4), "IHDR");
    EXPECT_EQ(std::memcmp(file.data() + 29, "\x90\x77\x53\xDE", 4), 0);  // CRC of the header of a 1x1 RGB image
    EXPECT_EQ(file.substr(file.size() - 8), std::string("IEND\xAE\x42\x60\x82"));
    EXPECT_EQ(std::memcmp(file.data() + file.size() - 20, "\x00\x04\x00\x01", 4), 0);  // Adler-32 of four zero bytes
}

TEST(Png, BoardsShowTheirPieces) {
    Image const image = draw_boards({{{3, 1}, {1, 0, 2}}});
    EXPECT_EQ(image.width(), 96u);
    EXPECT_EQ(image.height(), 48u);
    EXPECT_LT(image.at(24, 24).red, 60);   // black
    EXPECT_EQ(image.at(48, 24).red, 120);  // a crossing of lines
    EXPECT_GT(image.at(72, 24).red, 200);  // white
}

TEST(Png, TooManyBoardsAreRejected) {
    std::vector<Board> const boards(400, Board{{15, 15}, std::vector<unsigned char>(225, 0)});
    EXPECT_THROW(draw_boards(boards), bench::Error);
}

}  // namespace
}  // namespace lockstep::random_grids::tests
