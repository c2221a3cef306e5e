#include "experiments/random_grids/boards.hpp"

#include <algorithm>

namespace lockstep::random_grids {

namespace {

// Numbers of a plain PBM or PGM: one row per line, with a line break before 70 characters as the format requires.
std::string numbers_of(Board const& board) {
    std::string text;
    for (unsigned row = 0; row < board.shape.height; ++row) {
        for (unsigned column = 0; column < board.shape.width; ++column) {
            if (column != 0)
                text += column % 32 == 0 ? '\n' : ' ';
            text += static_cast<char>('0' + board.at(row, column));
        }
        text += '\n';
    }
    return text;
}

std::string size_of(Board const& board) {
    return std::to_string(board.shape.width) + " " + std::to_string(board.shape.height) + "\n";
}

}  // namespace

std::vector<Board> decode_boards(Workload const& workload, bench::UnitResult const& result) {
    Shape const shape = workload.shape;
    std::vector<Board> boards;
    std::size_t at = 0;
    for (unsigned i = 0; i < workload.length; ++i) {
        Board board{shape, std::vector<unsigned char>(shape.sites(), 0)};
        for (unsigned plane = 0; plane < workload.planes(); ++plane, at += shape.words()) {
            for (unsigned site = 0; site < shape.sites(); ++site) {
                unsigned const column = site % shape.width;
                std::uint32_t const word = result[at + site / shape.width * shape.words_per_row() + column / 32];
                board.sites[site] = static_cast<unsigned char>(board.sites[site] + (word >> column % 32 & 1u));
            }
        }
        boards.push_back(std::move(board));
    }
    return boards;
}

void unpack_board(PackedBoards const& boards, std::size_t const board, unsigned char* const to) {
    std::uint32_t const* words = boards.words.data() + board * boards.words_per_board();
    std::fill_n(to, boards.shape.sites(), static_cast<unsigned char>(0));
    for (unsigned plane = 0; plane < boards.planes; ++plane, words += boards.words_per_plane()) {
        for (unsigned site = 0; site < boards.shape.sites(); ++site)
            to[site] = static_cast<unsigned char>(to[site] + (words[site / 32] >> site % 32 & 1u));
    }
}

std::vector<Board> unpack_boards(PackedBoards const& boards) {
    std::vector<Board> unpacked(boards.count(), {boards.shape, std::vector<unsigned char>(boards.shape.sites())});
    for (std::size_t i = 0; i < unpacked.size(); ++i)
        unpack_board(boards, i, unpacked[i].sites.data());
    return unpacked;
}

std::string text_of(std::vector<Board> const& boards) {
    std::string text;
    for (Board const& board : boards) {
        if (!text.empty())
            text += '\n';
        for (unsigned row = 0; row < board.shape.height; ++row) {
            for (unsigned column = 0; column < board.shape.width; ++column)
                text += board_signs[board.at(row, column)];
            text += '\n';
        }
    }
    return text;
}

std::string pbm_of(std::vector<Board> const& boards) {
    std::string text;
    for (Board const& board : boards)
        text += "P1\n" + size_of(board) + numbers_of(board);
    return text;
}

std::string pgm_of(std::vector<Board> const& boards, unsigned colours) {
    std::string text;
    for (Board const& board : boards) {
        text += "P2\n" + size_of(board) + std::to_string(colours) + "\n" + numbers_of(board);
    }
    return text;
}

std::string json_boards(std::vector<Board> const& boards) {
    std::string text;
    for (std::size_t i = 0; i < boards.size(); ++i) {
        text += i == 0 ? "\n  [" : ",\n  [";
        for (unsigned row = 0; row < boards[i].shape.height; ++row) {
            text += row == 0 ? "[" : ", [";
            for (unsigned column = 0; column < boards[i].shape.width; ++column) {
                if (column != 0)
                    text += ',';
                text += static_cast<char>('0' + boards[i].at(row, column));
            }
            text += ']';
        }
        text += ']';
    }
    return text;
}

}  // namespace lockstep::random_grids
