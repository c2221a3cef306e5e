#include "reference_cpu/random_grids/legal_position.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace lockstep::random_grids {

namespace {

struct Direction {
    int down;
    int right;
};

constexpr Direction go_neighbours[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
constexpr Direction hex_neighbours[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};
constexpr Direction row_directions[] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

// Calls visit(site) for each neighbour of a site on the board.
template <class Visit>
void each_neighbour(Shape const& shape, std::size_t site, std::span<Direction const> directions, Visit&& visit) {
    long const row = static_cast<long>(site / shape.width);
    long const column = static_cast<long>(site % shape.width);
    for (auto const [down, right] : directions) {
        long const next_row = row + down;
        long const next_column = column + right;
        if (next_row >= 0 && next_row < shape.height && next_column >= 0 && next_column < shape.width)
            visit(static_cast<std::size_t>(next_row) * shape.width + static_cast<std::size_t>(next_column));
    }
}

// Returns the sites that chains of one colour join to `start`, which is of that colour. `seen` has the sites of earlier
// groups, and gets those of this one.
std::vector<std::size_t> group_of(Board const& board, std::size_t start, std::span<Direction const> directions,
                                  std::vector<bool>& seen) {
    std::vector<std::size_t> group = {start};
    seen[start] = true;
    for (std::size_t next = 0; next < group.size(); ++next) {
        each_neighbour(board.shape, group[next], directions, [&](std::size_t site) {
            if (board.sites[site] == board.sites[start] && !seen[site]) {
                seen[site] = true;
                group.push_back(site);
            }
        });
    }
    return group;
}

// Returns true if the stones can be placed in turns, black first, so that `has_won(board, colour)` is false until the
// last one.
template <class HasWon>
bool reached_by_placing(Board const& board, HasWon&& has_won) {
    auto const blacks = std::count(board.sites.begin(), board.sites.end(), black);
    auto const whites = std::count(board.sites.begin(), board.sites.end(), white);
    if (blacks != whites && blacks != whites + 1)
        return false;
    auto const [last, other] = blacks == whites ? std::pair{white, black} : std::pair{black, white};
    if (has_won(board, other))
        return false;
    if (!has_won(board, last))
        return true;
    Board before = board;
    for (unsigned char& site : before.sites) {
        if (site != last)
            continue;
        site = 0;
        if (!has_won(before, last))
            return true;
        site = last;
    }
    return false;
}

}  // namespace

bool legal_in_go(Board const& board) {
    std::vector<bool> seen(board.sites.size(), false);
    for (std::size_t start = 0; start < board.sites.size(); ++start) {
        if (board.sites[start] == 0 || seen[start])
            continue;
        bool has_liberty = false;
        for (std::size_t const stone : group_of(board, start, go_neighbours, seen)) {
            each_neighbour(board.shape, stone, go_neighbours,
                           [&](std::size_t site) { has_liberty = has_liberty || board.sites[site] == 0; });
        }
        if (!has_liberty)
            return false;
    }
    return true;
}

bool has_row(Board const& board, unsigned char colour, unsigned length) {
    for (std::size_t start = 0; start < board.sites.size(); ++start) {
        for (Direction const& direction : row_directions) {
            std::size_t site = start;
            unsigned stones = 0;
            while (stones < length && board.sites[site] == colour) {
                ++stones;
                std::size_t const from = site;
                each_neighbour(board.shape, from, {&direction, 1}, [&](std::size_t next) { site = next; });
                if (site == from)
                    break;  // the edge of the board
            }
            if (stones == length)
                return true;
        }
    }
    return false;
}

bool connects(Board const& board, unsigned char colour) {
    Shape const& shape = board.shape;
    bool const down = colour == black;
    std::vector<bool> seen(board.sites.size(), false);
    for (unsigned i = 0; i < (down ? shape.width : shape.height); ++i) {
        std::size_t const start = down ? i : std::size_t{i} * shape.width;
        if (board.sites[start] != colour || seen[start])
            continue;
        for (std::size_t const stone : group_of(board, start, hex_neighbours, seen)) {
            if (down ? stone / shape.width == shape.height - 1 : stone % shape.width == shape.width - 1)
                return true;
        }
    }
    return false;
}

bool legal_in_gomoku(Board const& board, unsigned length) {
    return reached_by_placing(
        board, [length](Board const& position, unsigned char colour) { return has_row(position, colour, length); });
}

bool legal_in_hex(Board const& board) { return reached_by_placing(board, connects); }

}  // namespace lockstep::random_grids
