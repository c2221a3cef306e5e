#pragma once
// Boards of two colours as `tree` draws them: both planes are packed sets, the second one of the sites of the first. A
// plane is cut into parts of 15 sites, so the rows of a board of width 15 are parts. 60 sites form a set, 120 a group.

#include <string>
#include <vector>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

inline constexpr unsigned colour_part_sites = 15;
inline constexpr unsigned colour_set_sites = 4 * colour_part_sites;
inline constexpr unsigned colour_group_sites = 2 * colour_set_sites;
inline constexpr unsigned colour_groups = 2;
inline constexpr unsigned colour_planes = 2;

inline constexpr unsigned deposit_words = 256 * 256 / 4;

// Byte 256 m + b has the lowest bits of b, one on each bit of m in ascending order; four bytes per word.
inline std::vector<unsigned> make_deposits() {
    std::vector<unsigned> words(deposit_words, 0);
    for (unsigned mask = 0; mask < 256; ++mask) {
        for (unsigned bits = 0; bits < 256; ++bits) {
            unsigned deposited = 0;
            unsigned left = bits;
            for (unsigned bit = 1; bit < 256; bit <<= 1) {
                if ((mask & bit) != 0) {
                    deposited |= (left & 1) != 0 ? bit : 0;
                    left >>= 1;
                }
            }
            words[(256 * mask + bits) / 4] |= deposited << bits % 4 * 8;
        }
    }
    return words;
}

// Returns an empty string if `tree` supports this workload of several colours, else the reason.
inline std::string why_not_tree_of_colours(Workload const& workload) {
    if (workload.planes() > colour_planes)
        return "it draws two colours at most";
    return workload.shape.sites() > colour_groups * colour_group_sites ? "it draws two colours on at most 240 sites"
                                                                       : "";
}

}  // namespace lockstep::random_grids
