// `lockstep grids` with files: masks, numbers of sites, and the binary formats.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/random_grids/board_mask.hpp"
#include "experiments/random_grids/command.hpp"
#include "experiments/random_grids/packed_bits.hpp"
#include "experiments/random_grids/site_counts.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "tests/support/tool.hpp"

namespace lockstep::random_grids::tests {
namespace {

class GridsFiles : public lockstep::tests::ToolTest {
protected:
    GridsFiles() : ToolTest("grids", grids_command) {}

    std::string mask_error(std::string const& text) const { return error_of({"--mask", file("mask", text)}); }

    // The values of the words in a file, after its first `head` bytes.
    static std::vector<std::uint32_t> words_of(std::string const& bytes, std::size_t const head = 0) {
        std::vector<std::uint32_t> words((bytes.size() - head) / 4);
        std::memcpy(words.data(), bytes.data() + head, words.size() * 4);
        return words;
    }
};

TEST(PackedBits, WrittenBitsAreRead) {
    std::vector<unsigned> const widths = {1, 31, 32, 32, 5, 28, 31, 3, 32};
    auto const bits_of = [](std::size_t i) { return 0x9E3779B9u * static_cast<std::uint32_t>(i + 1); };
    std::vector<std::uint32_t> words(7, 0);
    BitWriter writer(words.data());
    for (std::size_t i = 0; i < widths.size(); ++i)
        writer.put(bits_of(i) >> (32 - widths[i]), widths[i]);
    writer.finish();
    BitReader reader(words.data());
    for (std::size_t i = 0; i < widths.size(); ++i) {
        EXPECT_EQ(reader.take(0), 0u);
        EXPECT_EQ(reader.take(widths[i]), bits_of(i) >> (32 - widths[i])) << i;
    }
}

// In the emulator a part has 2^20 bits, and another thread draws the next part while one is written.
TEST_F(GridsFiles, PartsAreTheBoardsOfOneDrawing) {
    auto const packed = [&](std::string const& machine, std::string const& first, std::string const& count) {
        std::string const path = file("boards." + machine + first);
        output_of({"--width", "64", "--height", "64", "--occupied", "1", "--format", "packed", "--machine", machine,
                   "--first", first, "--count", count, "--out", path});
        return bench::read_file(path);
    };
    std::string const all = packed("cpu", "0", "700");
    EXPECT_EQ(all.size(), 700u * 512);
    EXPECT_TRUE(packed("emulator", "0", "700") == all);
    EXPECT_TRUE(packed("emulator", "130", "570") == all.substr(130u * 512));
}

// Every order of fixed and free sites: the free ones get the set's bits, in order.
TEST(BoardMask, SpreadsASetOverTheFreeSites) {
    for (unsigned free = 0; free < 256; ++free) {
        std::vector<unsigned char> sites(40, 2);
        for (unsigned i = 0; i < 8; ++i)
            sites[28 + i] = (free >> i & 1) != 0 ? BoardMask::free : 0;
        BoardMask const mask(Shape{40, 1}, sites);
        ASSERT_EQ(mask.free_sites(), static_cast<unsigned>(std::popcount(free)));
        EXPECT_EQ(mask.fixed_sites(), 32u);
        std::uint32_t const set = 0b01101001u & ((1u << mask.free_sites()) - 1);
        std::uint32_t board[2] = {};
        mask.place(0, &set, board);
        unsigned next = 0;
        for (unsigned site = 0; site < 40; ++site) {
            bool const is_free = sites[site] == BoardMask::free;
            bool const expected = is_free ? (set >> next++ & 1) != 0 : sites[site] == 2;
            EXPECT_EQ((board[site / 32] >> site % 32 & 1) != 0, expected) << free << " site " << site;
        }
        mask.place(2, nullptr, board);
        EXPECT_EQ(board[0] | board[1], 0u);
    }
}

TEST(BoardMask, APrintedMaskIsTheMask) {
    BoardMask const mask = parse_mask("?X.\r\n&O?\n", "mask");
    EXPECT_EQ(mask.shape(), (Shape{3, 2}));
    EXPECT_EQ(mask.free_sites(), 2u);
    EXPECT_EQ(mask.colours(), 8u);
    EXPECT_EQ(mask_text({3, 2}, {BoardMask::free, 1, 0, 8, 2, BoardMask::free}), "?X.\n&O?\n");
}

TEST_F(GridsFiles, EveryMaskedBoardIsEquallyLikely) {
    // Six free sites in two words of rows; 20 sets of three.
    std::string const mask = file("mask", "X??\n.?O\n???\n");
    std::string const text = output_of({"--mask", mask, "--occupied", "3", "--count", "20000"});
    std::map<std::string, double> seen;
    for (std::size_t at = 0; at < text.size(); at += 13) {
        std::string const board = text.substr(at, 12);
        EXPECT_EQ(board[0], 'X');
        EXPECT_EQ(board[4], '.');
        EXPECT_EQ(board[6], 'O');
        ++seen[board];
    }
    ASSERT_EQ(seen.size(), 20u);
    double chi_square = 0;
    for (auto const& [board, count] : seen)
        chi_square += (count - 1000) * (count - 1000) / 1000;
    EXPECT_LT(chi_square, 50);  // 19 degrees of freedom: p = 1e-4
}

// A mask changes where the sites are, not which set is drawn.
TEST_F(GridsFiles, AMaskOfFreeSitesIsNone) {
    std::string const mask = file("mask", "?????\n?????\n");
    EXPECT_EQ(output_of({"--mask", mask, "--occupied", "4,3", "--count", "20"}),
              output_of({"--width", "5", "--height", "2", "--occupied", "4,3", "--count", "20"}));
}

TEST_F(GridsFiles, WrongMasksGetOneClearLine) {
    EXPECT_NE(mask_error("\n").find("line 1 has no sites"), std::string::npos);
    EXPECT_NE(mask_error("??\n?\n").find("line 2 has 1 sites, and line 1 has 2"), std::string::npos);
    EXPECT_NE(mask_error("?!\n").find("line 1 has the character '!'"), std::string::npos);
    EXPECT_NE(mask_error(std::string(16385, '?')).find("more than 16384 sites"), std::string::npos);
    EXPECT_NE(mask_error("X.\n").find("no free site"), std::string::npos);
    std::string const mask = file("mask", "??.\n");
    EXPECT_NE(error_of({"--mask", mask, "--occupied", "3"}).find("the mask has 2 free sites"), std::string::npos);
    EXPECT_NE(error_of({"--mask", mask, "--width", "3"}).find("--width"), std::string::npos);
    EXPECT_NE(error_of({"--mask", file("missing")}).find("cannot read"), std::string::npos);
}

TEST_F(GridsFiles, EachBoardHasItsNumberOfSites) {
    std::string const counts = file("counts", "0\n6\n3\n3\n1\n3\n6\n0\n3\n2");
    std::vector<std::string> const words = {"--width", "3", "--height", "2", "--occupied-file", counts};
    std::string const all = output_of(words);
    std::string const expected = "0633136032";
    ASSERT_EQ(all.size(), 10u * 9 - 1);
    for (std::size_t i = 0; i < 10; ++i) {
        std::string const board = all.substr(i * 9, 8);
        EXPECT_EQ(std::count(board.begin(), board.end(), 'X'), expected[i] - '0') << i;
    }
    EXPECT_EQ(output_of(lockstep::tests::joined(words, {"--first", "3", "--count", "4"})), all.substr(27, 35));
    EXPECT_EQ(output_of(lockstep::tests::joined(words, {"--machine", "emulator"})), all);
}

TEST(SiteCounts, BoardsWithTheSameNumberAreNumbered) {
    std::vector<std::uint16_t> const counts = {2, 0, 2, 2, 0};
    BoardsBySites by_sites(counts);
    EXPECT_EQ(by_sites.boards(3, 2)[2][0].number, 2u);
    auto const boards = by_sites.boards(1, 3);
    ASSERT_EQ(boards.size(), 3u);
    ASSERT_EQ(boards[0].size(), 1u);
    EXPECT_TRUE(boards[1].empty());
    ASSERT_EQ(boards[2].size(), 2u);
    EXPECT_EQ(boards[0][0].at, 0u);
    EXPECT_EQ(boards[0][0].number, 0u);
    EXPECT_EQ(boards[2][0].at, 1u);
    EXPECT_EQ(boards[2][0].number, 1u);
    EXPECT_EQ(boards[2][1].number, 2u);
    EXPECT_EQ(by_sites.boards(4, 1)[0][0].number, 1u);
}

TEST_F(GridsFiles, WrongNumbersOfSitesGetOneClearLine) {
    auto const error = [&](std::string const& text) { return error_of({"--occupied-file", file("counts", text)}); };
    EXPECT_NE(error("3\n226\n").find("line 2 is not a number from 0 to 225"), std::string::npos);
    EXPECT_NE(error("3\n\n4\n").find("line 2"), std::string::npos);
    EXPECT_NE(error("-1").find("line 1"), std::string::npos);
    std::string const two = file("counts", "1\n2\n");
    EXPECT_NE(error_of({"--occupied-file", two, "--count", "3"}).find("boards 0 to 1"), std::string::npos);
    EXPECT_NE(error_of({"--occupied-file", two, "--first", "2"}).find("too few lines"), std::string::npos);
    EXPECT_NE(error_of({"--occupied-file", two, "--occupied", "2"}).find("--occupied"), std::string::npos);
}

TEST_F(GridsFiles, BinaryFormatsHoldTheBoardsOfTheText) {
    std::vector<std::string> const words = {"--width", "7", "--height", "5", "--occupied", "4,3", "--count", "33"};
    std::string const text = output_of(words);
    auto const bytes = [&](std::string const& format) {
        output_of(lockstep::tests::joined(words, {"--format", format, "--out", file(format)}));
        return bench::read_file(file(format));
    };
    std::string const npy = bytes("npy");
    ASSERT_EQ(npy.size(), 128u + 33 * 35);
    EXPECT_NE(npy.find("'|u1', 'fortran_order': False, 'shape': (33, 5, 7)"), std::string::npos);
    std::string const sets = bytes("packed");
    std::vector<std::uint32_t> const packed = words_of(sets);
    ASSERT_EQ(packed.size(), 33u * 2 * 2);
    std::string const sites = bytes("indices");
    EXPECT_NE(sites.find("'<i4', 'fortran_order': False, 'shape': (33, 7)"), std::string::npos);
    std::vector<std::uint32_t> const indices = words_of(sites, 128);
    for (std::size_t board = 0; board < 33; ++board) {
        std::vector<std::vector<std::uint32_t>> colours(3);
        for (unsigned site = 0; site < 35; ++site) {
            char const sign = text[board * 41 + site / 7 * 8 + site % 7];
            unsigned const colour = sign == 'O' ? 2 : sign == 'X' ? 1 : 0;
            colours[colour].push_back(site);
            EXPECT_EQ(npy[128 + board * 35 + site], static_cast<char>(colour));
            for (unsigned plane = 0; plane < 2; ++plane)
                EXPECT_EQ(packed[board * 4 + plane * 2 + site / 32] >> site % 32 & 1, colour > plane ? 1u : 0u);
        }
        colours[1].insert(colours[1].end(), colours[2].begin(), colours[2].end());
        EXPECT_EQ(std::vector<std::uint32_t>(indices.begin() + static_cast<std::ptrdiff_t>(board * 7),
                                             indices.begin() + static_cast<std::ptrdiff_t>(board * 7 + 7)),
                  colours[1]);
    }
}

TEST_F(GridsFiles, IndicesOfFewerSitesEndInMinusOne) {
    std::string const counts = file("counts", "1\n3\n0\n");
    std::string const bytes =
        output_of({"--width", "3", "--height", "1", "--occupied-file", counts, "--format", "indices"});
    std::vector<std::uint32_t> const indices = words_of(bytes, 128);
    ASSERT_EQ(indices.size(), 9u);
    EXPECT_LT(indices[0], 3u);
    constexpr std::uint32_t none = 0xFFFFFFFFu;
    EXPECT_EQ(std::vector<std::uint32_t>(indices.begin() + 1, indices.end()),
              (std::vector<std::uint32_t>{none, none, 0, 1, 2, none, none, none}));
}

TEST_F(GridsFiles, AFailureLeavesTheOldFile) {
    std::string const out = file("out.npy", "old");
    EXPECT_NE(error_of({"--occupied", "226", "--format", "npy", "--out", out}), "no error");
    EXPECT_EQ(bench::read_file(out), "old");
    EXPECT_EQ(output_of({"--format", "npy", "--out", out}), "");
    EXPECT_EQ(std::filesystem::file_size(out), 128u + 225);
}

}  // namespace
}  // namespace lockstep::random_grids::tests
