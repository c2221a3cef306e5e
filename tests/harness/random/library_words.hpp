#pragma once
// Words from the generators that ours must equal, each behind a file of its own: the libraries' headers and the
// harness's define the same qualifiers.

#include <cstdint>
#include <vector>

namespace lockstep::random {

// True where cuRAND's headers, or Thrust's, were found when the tests were configured. The functions below that
// need them give nothing where they were not.
extern bool const has_curand;
extern bool const has_thrust;

// curand_init(seed, subsequence, offset), then `count` times curand(), on the CPU.
std::vector<std::uint32_t> curand_xorwow_words(std::uint64_t seed, std::uint64_t subsequence, std::uint64_t offset,
                                               std::size_t count);

// The first words of thrust::random::taus88 with these component seeds, on the CPU.
std::vector<std::uint32_t> thrust_taus88_words(std::uint32_t first, std::uint32_t second, std::uint32_t third,
                                               std::size_t count);

}  // namespace lockstep::random
