#pragma once
// Amount of work of a case, from which its rates are computed.

#include <cstdint>

#include "common/random_grids/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

// Method that draws a set; it determines the number of random words.
enum class Method { halving, list, probe, random_keys, unranked, dense, dense_warp, pooled, tree };

// Expected number of random words per board. If k is mixed, the number for half of the sites.
double words_expected(Workload const& workload, Method method);

// Items: boards. Bytes: size of the results. Operations: expected random words.
bench::Work work_of(Workload const& workload, std::uint64_t streams, unsigned lanes, Method method);

}  // namespace lockstep::random_grids
