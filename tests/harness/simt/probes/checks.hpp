#pragma once
// Checks of the probes' results, for every machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "tests/harness/simt/probes/probes.hpp"

namespace lockstep::probes {

inline void expect_exact_grids(std::vector<unsigned> const& rows, unsigned grids, unsigned occupied) {
    ASSERT_EQ(rows.size(), grids * 32u);
    for (unsigned grid = 0; grid < grids; ++grid) {
        unsigned sites = 0;
        for (unsigned row = 0; row < 32; ++row) {
            sites += static_cast<unsigned>(std::popcount(rows[grid * 32 + row]));
        }
        EXPECT_EQ(sites, occupied) << "grid " << grid;
    }
}

inline void expect_each_enabled_once(std::vector<unsigned> const& evaluations, unsigned states, unsigned range) {
    ASSERT_EQ(evaluations.size(), std::size_t{states} * range);
    for (unsigned state = 0; state < states; ++state) {
        for (unsigned i = 0; i < range; ++i) {
            ASSERT_EQ(evaluations[state * range + i], is_enabled(state, i) ? 1u : 0u)
                << "state " << state << ", value " << i;
        }
    }
}

// No index is taken twice, the number of taken indices equals the number kept, and recycled indices are used first.
inline void expect_distinct_indices(std::vector<unsigned> const& taken, Allocation const& wanted) {
    EXPECT_EQ(*std::max_element(taken.begin(), taken.end()), 1u);
    unsigned const kept = wanted.blocks * ((wanted.threads + 1) / 2) * wanted.rounds;
    EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), 0u), kept);
    // In each round every thread holds one index in addition to those kept in earlier rounds, and no fresh index is
    // created while a free one is available.
    unsigned const max_held = wanted.blocks * (wanted.threads + (wanted.threads + 1) / 2 * (wanted.rounds - 1));
    auto const last = std::find(taken.rbegin(), taken.rend(), 1u);
    EXPECT_LE(static_cast<unsigned>(taken.rend() - last), std::max(max_held, wanted.recycled));
}

}  // namespace lockstep::probes
