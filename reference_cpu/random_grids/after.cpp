#include "reference_cpu/random_grids/after.hpp"

#include <utility>

namespace lockstep::random_grids {

namespace {

using Rows32 = std::vector<std::uint32_t>;

bool occupied_at(Rows32 const& rows, unsigned row, unsigned column) { return (rows[row] >> column & 1u) != 0; }

// Calls visit(row, column) for the up to four neighbours of a site.
template <class Visit>
void each_side(Shape const& shape, unsigned row, unsigned column, Visit&& visit) {
    if (row > 0)
        visit(row - 1, column);
    if (row + 1 < shape.height)
        visit(row + 1, column);
    if (column > 0)
        visit(row, column - 1);
    if (column + 1 < shape.width)
        visit(row, column + 1);
}

Rows32 liberties_of(Shape const& shape, Rows32 const& board) {
    Rows32 found(board.size(), 0);
    for (unsigned row = 0; row < shape.height; ++row) {
        for (unsigned column = 0; column < shape.width; ++column) {
            if (!occupied_at(board, row, column))
                continue;
            each_side(shape, row, column, [&](unsigned next_row, unsigned next_column) {
                if (!occupied_at(board, next_row, next_column))
                    found[next_row] |= 1u << next_column;
            });
        }
    }
    return found;
}

Rows32 connected_to_first_row(Shape const& shape, Rows32 const& board) {
    Rows32 found(board.size(), 0);
    std::vector<std::pair<unsigned, unsigned>> reached;
    auto const reach = [&](unsigned row, unsigned column) {
        if (!occupied_at(board, row, column) || occupied_at(found, row, column))
            return;
        found[row] |= 1u << column;
        reached.emplace_back(row, column);
    };
    for (unsigned column = 0; column < shape.width; ++column)
        reach(0, column);
    for (std::size_t next = 0; next < reached.size(); ++next) {
        auto const [row, column] = reached[next];
        each_side(shape, row, column, reach);
    }
    return found;
}

}  // namespace

std::vector<std::uint32_t> after_draw(Workload const& workload, std::vector<std::uint32_t> board) {
    switch (workload.after) {
        case After::none:
            break;
        case After::liberties:
            return liberties_of(workload.shape, board);
        case After::connected:
            return connected_to_first_row(workload.shape, board);
    }
    return board;
}

}  // namespace lockstep::random_grids
