#pragma once
// Words from the library generators that ours must equal. Each library is used in a separate source file, because the
// libraries' headers and the harness's define the same qualifiers.

#include <cstdint>
#include <vector>

namespace lockstep::random {

// True if the headers of cuRAND or Thrust were found at configure time. If not, the corresponding function below
// returns an empty vector.
extern bool const has_curand;
extern bool const has_thrust;

// Calls curand_init(seed, subsequence, offset), then curand() `count` times, on the CPU.
std::vector<std::uint32_t> curand_xorwow_words(std::uint64_t seed, std::uint64_t subsequence, std::uint64_t offset,
                                               std::size_t count);

// Returns the first `count` words of thrust::random::taus88 with these component seeds, computed on the CPU.
std::vector<std::uint32_t> thrust_taus88_words(std::uint32_t first, std::uint32_t second, std::uint32_t third,
                                               std::size_t count);

}  // namespace lockstep::random
