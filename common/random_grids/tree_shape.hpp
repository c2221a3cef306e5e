#pragma once
// Nodes of the variant `tree`. A board's N sites are numbered row by row and packed without gaps. 128 sites form a
// group, two sets of 64 sites. A node of level t holds the 2^t groups from a multiple of 2^t on, or as many as the
// board has; its low part is the first half of the groups (of the sets, at level 0). Only a node at the end of the
// board can have fewer sites than the others of its level, so a level has at most two tables.

#include <algorithm>
#include <string>

#include "common/random_grids/colour_shape.hpp"
#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

inline constexpr unsigned tree_set_sites = 64;
inline constexpr unsigned tree_max_level = 7;

// `set_sites` is 64, or less in tests.
struct TreeShape {
    unsigned sites = 0;
    unsigned set_sites = tree_set_sites;

    unsigned groups() const { return (sites + 2 * set_sites - 1) / (2 * set_sites); }
    unsigned top() const {
        unsigned level = 0;
        while (1u << level < groups())
            ++level;
        return level;
    }
    // Sites from group `group` on, and those of a node of this level there.
    unsigned sites_from(unsigned group) const { return sites - 2 * set_sites * group; }
    unsigned low_sites(unsigned level) const { return set_sites << level; }
    unsigned node_sites(unsigned level, unsigned group) const {
        return std::min(2 * low_sites(level), sites_from(group));
    }
    // Sites of the level's last node; 0 if it is as large as the others.
    unsigned end_sites(unsigned level) const { return sites % (2 * low_sites(level)); }
};

// Returns an empty string if `tree` supports the workload, else the reason.
inline std::string why_not_tree(Workload const& workload) {
    if (workload.planes() > 1)
        return why_not_tree_of_colours(workload);
    return workload.shape.sites() <= tree_set_sites ? "it takes more than 64 sites; unranked takes fewer" : "";
}

}  // namespace lockstep::random_grids
