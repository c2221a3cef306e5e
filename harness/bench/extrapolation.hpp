#pragma once
// A CPU case that would take long is measured at fewer units, and its time is scaled: drawn as an extrapolation.

#include <cstdint>

#include "harness/bench/stopwatch.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Units for one sample of about `target` seconds where all of them would take more than `limit`, else all. Found by
// running growing numbers of units until one run takes a tenth of a second.
std::uint64_t affordable_units(Variant const& variant, Problem const& problem, Stopwatch& stopwatch, double limit,
                               double target);

}  // namespace lockstep::bench
