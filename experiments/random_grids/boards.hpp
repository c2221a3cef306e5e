#pragma once
// Boards for output: from a unit's result to the colours of sites, and from those to text.

#include <cstdint>
#include <string>
#include <vector>

#include "common/random_grids/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

// Row by row; 0 is an empty site, colours count from 1.
struct Board {
    Shape shape;
    std::vector<unsigned char> sites;

    unsigned char at(unsigned row, unsigned column) const { return sites[std::size_t{row} * shape.width + column]; }
};

// Decodes the boards of one stored unit.
std::vector<Board> decode_boards(Workload const& workload, bench::UnitResult const& result);

// Characters for empty, first colour, second colour ...: . X O * + # % @ &. A blank line separates boards.
std::string text_of(std::vector<Board> const& boards);

// Plain PBM (P1), boards in sequence; for one colour.
std::string pbm_of(std::vector<Board> const& boards);

// Plain PGM (P2) whose grey values are the colours' numbers, boards in sequence.
std::string pgm_of(std::vector<Board> const& boards, unsigned colours);

// A JSON array of boards, each an array of rows, each an array of colours' numbers.
std::string json_of(std::vector<Board> const& boards);

}  // namespace lockstep::random_grids
