#pragma once
// What a case does, for its rates.

#include <cstdint>

#include "harness/bench/variant.hpp"
#include "reference_cpu/random_grids/workload.hpp"

namespace lockstep::random_grids {

// Items: boards. Bytes: of the results. Operations: random words of halving, about log2 N steps of one word a word of the board.
bench::Work work_of(Workload const& workload, std::uint64_t streams, unsigned lanes);

}  // namespace lockstep::random_grids
