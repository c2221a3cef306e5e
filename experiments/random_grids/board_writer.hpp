#pragma once
// Writes boards to a file or to standard output, a part at a time.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiments/random_grids/boards.hpp"
#include "harness/bench/streamed_file.hpp"

namespace lockstep::random_grids {

// The names of --format. Those from npy to indices are binary, and none writes nothing:
//   npy      an array (boards, height, width) of bytes: 0 for an empty site, colours count from 1
//   packed   the words of PackedBoards, little-endian, without a header
//   indices  an array (boards, columns) of 32-bit numbers: a board's occupied sites, numbered row by row, in ascending
//            order per colour; -1 fills rows of fewer sites
inline std::vector<std::string> const board_formats = {"text", "pbm",    "pgm",     "json",
                                                       "npy",  "packed", "indices", "none"};
bool is_binary(std::string const& format);

// All boards of an output.
struct BoardsToWrite {
    std::string format;
    Shape shape;
    unsigned planes = 1;
    std::uint64_t count = 0;
    unsigned max_occupied = 0;  // columns of `indices`
    std::string json_head;      // members of the JSON document before the boards
};

// The bytes that the output has, or at least has if their number depends on the boards; 2^64 - 1 if it is no less.
std::uint64_t min_bytes_of(BoardsToWrite const& boards);

class BoardWriter {
public:
    // An empty path is standard output.
    BoardWriter(BoardsToWrite boards, std::string const& path);

    void write(PackedBoards const& boards);
    void finish();

private:
    void write_part(PackedBoards const& boards);
    void write_npy(PackedBoards const& boards);
    void write_indices(PackedBoards const& boards);
    void write_text(std::vector<Board> const& boards);

    BoardsToWrite all_;
    bench::StreamedFile file_;
    bool begun_ = false;
};

}  // namespace lockstep::random_grids
