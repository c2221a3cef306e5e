#pragma once
// Sites of a board that stay as they are. Sets are drawn from the free sites, which are numbered row by row.

#include <cstdint>
#include <string>
#include <vector>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

class BoardMask {
public:
    // Every site is free.
    explicit BoardMask(Shape const& shape);
    // The colour of each site, row by row, or `free`.
    static constexpr unsigned char free = 255;
    BoardMask(Shape const& shape, std::vector<unsigned char> const& sites);

    Shape const& shape() const { return shape_; }
    unsigned free_sites() const { return free_sites_; }
    unsigned words_per_plane() const { return static_cast<unsigned>(free_.size()); }
    // The largest colour of a site that is not free.
    unsigned colours() const { return static_cast<unsigned>(fixed_.size()); }
    // Occupied sites that are not free.
    unsigned fixed_sites() const { return fixed_sites_; }

    // Puts a plane of a set onto the board's plane. Both are packed: site s is bit s % 32 of word s / 32. Without
    // `set`, the plane has the sites of the mask alone.
    void place(unsigned plane, std::uint32_t const* set, std::uint32_t* board) const;

private:
    Shape shape_;
    unsigned free_sites_ = 0;
    unsigned fixed_sites_ = 0;
    std::vector<std::uint32_t> free_;
    std::vector<std::vector<std::uint32_t>> fixed_;  // by plane
};

// Parses a board as `--format text` prints it, a row per line, where `?` is a free site. Throws bench::Error, which
// names `path`.
BoardMask parse_mask(std::string const& text, std::string const& path);

// The text of a mask.
std::string mask_text(Shape const& shape, std::vector<unsigned char> const& sites);

}  // namespace lockstep::random_grids
