#pragma once
// What a case does, for its rates.

#include <cstdint>

#include "common/random_grids/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

// How a set is drawn, which decides how many random words it takes.
enum class Method { halving, list, probe, random_keys, unranked, dense };

// Random words expected for one board. Mixed: as for half the sites.
double words_expected(Workload const& workload, Method method);

// Items: boards. Bytes: of the results. Operations: random words expected.
bench::Work work_of(Workload const& workload, std::uint64_t streams, unsigned lanes, Method method);

}  // namespace lockstep::random_grids
