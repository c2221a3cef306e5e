#pragma once
// A long CPU case is measured with fewer units and its time is scaled up; plots mark it as an extrapolation. Cases
// whose units share work are measured whole, because a part of the units need not take its share of the time.

#include <cstdint>

#include "harness/bench/stopwatch.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Returns the number of units for one sample of about `target` seconds if all units would take more than `limit`
// seconds; otherwise returns all units. Runs increasing numbers of units until one run takes a tenth of a second.
std::uint64_t affordable_units(Variant const& variant, Problem const& problem, Stopwatch& stopwatch, double limit,
                               double target);

}  // namespace lockstep::bench
