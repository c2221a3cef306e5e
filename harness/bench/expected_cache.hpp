#pragma once
// Cache of reference results for the most recent problems. All variants of an axis tuple share an entry, and so do
// tuples that differ only in axes on which the reference does not depend.

#include <cstddef>
#include <list>
#include <string>

#include "harness/bench/verification.hpp"

namespace lockstep::bench {

class ExpectedCache {
public:
    // Valid until the next call. Throws what compute_expected() throws. A sample is computed again for a budget with
    // more seconds.
    Expected const& get(std::string const& experiment, Reference const& reference, Problem const& problem,
                        ReferenceBudget const& budget);

private:
    struct Entry {
        std::string experiment;
        std::string reference;
        Problem problem;  // without the axes that the reference ignores
        Expected expected;
        std::size_t bytes;
        double budget_seconds;
    };

    void make_room(std::size_t max_bytes);

    std::list<Entry> entries_;  // most recently used first
};

}  // namespace lockstep::bench
