#pragma once
// Boards for output: from a unit's result to the colours of sites, and from those to text.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/random_grids/board.hpp"
#include "common/random_grids/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

// Characters for an empty site, the first colour, the second colour ...
inline constexpr std::string_view board_signs = ".XO*+#%@&";

// Decodes the boards of one stored unit.
std::vector<Board> decode_boards(Workload const& workload, bench::UnitResult const& result);

// Boards in sequence without row padding: site s of a plane is bit s % 32 of word s / 32. A plane has whole words, and
// the planes of a board follow one another. The words belong to somebody else.
struct PackedBoards {
    Shape shape;
    unsigned planes = 1;
    std::span<std::uint32_t const> words;

    std::size_t words_per_plane() const { return simt::ceil_div(shape.sites(), 32u); }
    std::size_t words_per_board() const { return planes * words_per_plane(); }
    std::size_t count() const { return words.size() / words_per_board(); }
};

// Writes the colours of one board's sites to `to`.
void unpack_board(PackedBoards const& boards, std::size_t board, unsigned char* to);
std::vector<Board> unpack_boards(PackedBoards const& boards);

// A board is a line per row, of board_signs. A blank line separates boards.
std::string text_of(std::vector<Board> const& boards);

// Plain PBM (P1), boards in sequence; for one colour.
std::string pbm_of(std::vector<Board> const& boards);

// Plain PGM (P2) whose grey values are the colours' numbers, boards in sequence.
std::string pgm_of(std::vector<Board> const& boards, unsigned colours);

// The elements of a JSON array of boards, each an array of rows, each an array of colours' numbers.
std::string json_boards(std::vector<Board> const& boards);

}  // namespace lockstep::random_grids
