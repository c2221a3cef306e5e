#pragma once
// The choice of the variant `auto`, which `lockstep grids` makes, too: the exact variants in the order in which they
// are expected to be the fastest (expected_time.hpp).

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

// So many streams that every variant keeps a GPU busy.
inline constexpr std::uint64_t many_streams = std::uint64_t{1} << 32;

// As many of the first variants that support a case are timed where the case is repeated on a GPU.
inline constexpr std::size_t trial_count = 6;

// Names of variants, the fastest first. The first one that supports the workload is the choice.
std::vector<std::string> fastest_variants(Workload const& workload, std::uint64_t streams);

}  // namespace lockstep::random_grids
