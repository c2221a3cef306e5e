#pragma once
// Connected clusters of open sites on many maps in parallel, as one rule that is applied until nothing changes.

#include <vector>

namespace clusters {

inline constexpr unsigned side = 24;  // maps are tori of 24 x 24 sites
inline constexpr unsigned sites = side * side;

struct Labelled {
    std::vector<unsigned>
        labels;  // map after map: 0 if closed, else the smallest number (from 1) of the cluster's sites
    std::vector<unsigned> passes;  // per map: the last pass that changed it
};

// `labels` holds the initial labels: 0 if a site is closed, else its own number, from 1. One warp per map.
namespace emulator {
Labelled label(std::vector<unsigned> const& labels);
}
namespace cuda {
Labelled label(std::vector<unsigned> const& labels);
}

}  // namespace clusters
