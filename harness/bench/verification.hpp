#pragma once
// Verify, time, verify: what the reference says, and whether a case says the same.

#include <cstdint>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Reference results of some units of a problem, ascending.
struct Expected {
    std::vector<std::uint64_t> units;
    std::vector<UnitResult> results;
    bool complete = false;  // every unit of the problem is there
};

struct ReferenceBudget {
    double seconds = 5;         // of the reference on one thread (all share them): every unit, where that is enough
    double sample_seconds = 1;  // for the sample, where it is not
    std::size_t bytes = std::size_t{1} << 30;  // of results held
    unsigned threads = 0;                      // 0: as many as the machine has
};

// Every unit where the first ones say that this stays within the budget. Else a sample: the first and the last unit,
// and one at a random place (of a fixed seed) in each of as many equal parts of the range as the budget allows. Units
// that turn out more than twice as slow as the first ones shorten the sample. Rethrows what the reference throws.
Expected compute_expected(Reference const& reference, Problem const& problem, ReferenceBudget const& budget = {});

// Compares the case's present output with the reference. Empty where every unit agrees, else what differs first and how
// many units do. An exact variant that was compared whole must also have the digest that its results add up to.
std::string disagreement(Case& subject, Variant const& variant, Expected const& expected);

}  // namespace lockstep::bench
