// cuRAND's XORWOW on the CPU, which is possible because a macro sets the qualifiers of cuRAND's functions.

#include "tests/harness/random/library_words.hpp"

#if defined(LOCKSTEP_HAS_CURAND)
#include <cuda_runtime.h>
#define QUALIFIERS static inline __host__ __device__
#include <curand_kernel.h>
#endif

namespace lockstep::random {

#if defined(LOCKSTEP_HAS_CURAND)

bool const has_curand = true;

std::vector<std::uint32_t> curand_xorwow_words(std::uint64_t seed, std::uint64_t subsequence, std::uint64_t offset,
                                               std::size_t count) {
    curandStateXORWOW_t state;
    curand_init(seed, subsequence, offset, &state);
    std::vector<std::uint32_t> words(count);
    for (std::uint32_t& word : words) {
        word = curand(&state);
    }
    return words;
}

#else

bool const has_curand = false;

std::vector<std::uint32_t> curand_xorwow_words(std::uint64_t, std::uint64_t, std::uint64_t, std::size_t) { return {}; }

#endif

}  // namespace lockstep::random
