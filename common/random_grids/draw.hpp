#pragma once
// Sets of exactly k of N sites for host code: one call that fills a buffer. `lockstep grids` draws the same sets.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace lockstep::random_grids {

// What to draw. Every set with these numbers of sites is equally likely.
struct Draw {
    unsigned sites = 0;             // N, at most 16384
    std::string occupied = "half";  // as the axis `occupied`: k, one number per colour (71,70), half or mixed
    std::uint64_t seed = 1;
    std::string engine = "philox10";
    std::string machine = "auto";  // a GPU for much work, else all CPU cores; the sets are the same
};

// Words of one set: ceil(N / 32) per colour. Site s is bit s % 32 of word s / 32; the bits past the last site are 0.
// Several colours are nested sets, the first of which holds all occupied sites. Throws bench::Error like draw().
std::size_t words_per_set(Draw const& draw);

// Fills `sets` with set `first`, set `first` + 1 and so on. A set depends on the seed, the engine, the sites, their
// numbers and its own number, so calls with other ranges or on other machines agree. `sets` has whole sets, in host
// memory. Throws bench::Error for values that are invalid alone or together.
void draw(Draw const& draw, std::uint64_t first, std::span<std::uint32_t> sets);

}  // namespace lockstep::random_grids
