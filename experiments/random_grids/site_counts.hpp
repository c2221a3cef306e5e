#pragma once
// A number of occupied sites for each board, from a file.

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::random_grids {

// Parses one number per line, each at most `max_count`. Throws bench::Error, which names `path`.
std::vector<std::uint16_t> parse_site_counts(std::string const& text, std::string const& path, unsigned max_count);

// Boards with the same number of sites are numbered among themselves: a board of k sites is number `number` of them.
struct CountedBoard {
    std::size_t at = 0;  // in the range
    std::uint64_t number = 0;
};

// Numbers boards. `counts` must outlive it.
class BoardsBySites {
public:
    explicit BoardsBySites(std::vector<std::uint16_t> const& counts) : counts_(counts) {}

    // The boards of the range [first, first + count), by their number of sites. Ranges that follow one another read
    // each number once.
    std::vector<std::vector<CountedBoard>> boards(std::uint64_t first, std::uint64_t count);

private:
    std::vector<std::uint16_t> const& counts_;
    std::uint64_t read_ = 0;           // numbers that `next_` includes
    std::vector<std::uint64_t> next_;  // by number of sites
};

}  // namespace lockstep::random_grids
