#pragma once
// Workload of every variant of random_grids, read from the axes.
//
// A board has W x H sites. A row has words_per_row() 32-bit words; the site in column c is bit c % 32 of word c / 32.
// Bits past the width are always 0. A unit is a stream: `length` consecutive boards, drawn from one engine (threadwise)
// or from 32 engines, one per lane (warpwise).
//
// Colours: a board of several colours ("71,70") is drawn as nested sets, its planes. Plane 0 holds all occupied sites,
// drawn from all sites; plane p holds the sites of colours p and later, drawn in the same way from those of the
// previous plane. So the colour of a site is the number of planes that hold it, 0 for an empty site.
//
// Result of a unit: `stored`: length x planes x H x words_per_row words in that order, the last index fastest.
// `folded`: one checksum per drawing lane (fold.hpp).

#include <cstdint>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::random_grids {

inline constexpr unsigned max_sites = 16384;
inline constexpr unsigned max_colours = 8;

struct Shape {
    unsigned width = 0;
    unsigned height = 0;

    unsigned sites() const { return width * height; }
    unsigned words_per_row() const { return simt::ceil_div(width, 32u); }
    unsigned words() const { return height * words_per_row(); }
    // Valid bits of a row's last word.
    std::uint32_t last_mask() const { return width % 32 == 0 ? 0xFFFFFFFFu : (1u << width % 32) - 1; }
    std::uint32_t mask(unsigned column) const { return column + 1 < words_per_row() ? 0xFFFFFFFFu : last_mask(); }
    // All sites of the board, as words.
    std::vector<std::uint32_t> all_sites() const;
    friend bool operator==(Shape const&, Shape const&) = default;
};

enum class Output { stored, folded };

// Work on a board after its draw, in the same kernel (after.hpp); its result takes the place of the board.
enum class After { none, liberties, connected };

struct Workload {
    Shape shape;
    // Number of sites in each plane, in descending order; empty if each board has its own k.
    std::vector<unsigned> occupied;
    std::string engine;
    unsigned length = 0;
    Output output = Output::stored;
    After after = After::none;

    bool mixed() const { return occupied.empty(); }
    unsigned planes() const { return mixed() ? 1 : static_cast<unsigned>(occupied.size()); }
    unsigned words_per_board() const { return planes() * shape.words(); }
    // Number of words in a unit's result for an algorithm with `lanes` drawing lanes.
    unsigned words_per_unit(unsigned lanes) const {
        return output == Output::folded ? lanes : length * words_per_board();
    }
};

// Parses "WxH": W and H at least 1, W x H at most 16384. Throws bench::Error.
Shape parse_shape(std::string const& text);

// Parses "K", "K1,K2,...", "half" or "mixed" and returns the number of sites of each plane (empty for "mixed"). Throws
// bench::Error if they exceed the board's sites.
std::vector<unsigned> parse_occupied(std::string const& text, Shape const& shape);

// Throws bench::Error for values that are invalid alone or together.
Workload read_workload(bench::Axes const& axes);

// Returns the axes `grid`, `occupied`, `engine`, `streams`, `length`, `output` and `after` with their defaults.
std::vector<bench::Axis> workload_axes();

}  // namespace lockstep::random_grids
