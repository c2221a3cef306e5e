#pragma once
// Verification: computes reference results and compares a case with them.

#include <cstdint>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Reference results of some units of a problem, in ascending order of the units.
struct Expected {
    std::vector<std::uint64_t> units;
    std::vector<UnitResult> results;
    bool complete = false;  // true if it has every unit of the problem
};

struct ReferenceBudget {
    double seconds = 5;                        // on one thread, divided among all: if enough, every unit is computed
    double sample_seconds = 1;                 // for the sample, if it is not enough
    std::size_t bytes = std::size_t{1} << 30;  // of results held
    unsigned threads = 0;                      // 0: the number of hardware threads
};

// Computes every unit if the times of the first units predict that this stays within the budget. Otherwise computes a
// sample: the first and the last group of units (Reference::units_per_group), and one random group (from a fixed seed)
// from each of as many equal parts of the range as the budget allows. If units are more than twice as slow as the first
// ones, the sample is cut short. Rethrows exceptions of the reference.
Expected compute_expected(Reference const& reference, Problem const& problem, ReferenceBudget const& budget = {});

// Compares the case's current output with the reference. Returns an empty string if every unit agrees, else the first
// difference and the number of units that differ. If every unit of an exact variant is compared, the case's digest must
// also equal the digest of its results.
std::string disagreement(Case& subject, Variant const& variant, Expected const& expected);

}  // namespace lockstep::bench
