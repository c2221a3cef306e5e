#pragma once
// Connected clusters of open sites on many maps at once, as one rule that is applied until nothing changes.

#include <vector>

namespace clusters {

inline constexpr unsigned side = 24;  // maps are tori of 24 x 24 sites
inline constexpr unsigned sites = side * side;

struct Labelled {
    std::vector<unsigned>
        labels;  // map after map: 0 where closed, else the smallest number of the cluster's sites, from 1
    std::vector<unsigned> passes;  // of each map: the last pass that changed it
};

// `labels` at the start: 0 where closed, else the site's own number, from 1. One warp a map.
namespace emulator {
Labelled label(std::vector<unsigned> const& labels);
}
namespace cuda {
Labelled label(std::vector<unsigned> const& labels);
}

}  // namespace clusters
