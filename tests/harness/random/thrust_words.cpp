// Thrust's taus88 on the CPU. It nests the components in the opposite order to Boost's.

#include "tests/harness/random/library_words.hpp"

#if defined(LOCKSTEP_HAS_THRUST)
#include <thrust/random.h>
#endif

namespace lockstep::random {

#if defined(LOCKSTEP_HAS_THRUST)

bool const has_thrust = true;

std::vector<std::uint32_t> thrust_taus88_words(std::uint32_t first, std::uint32_t second, std::uint32_t third,
                                               std::size_t count) {
    using First = thrust::random::linear_feedback_shift_engine<std::uint32_t, 32, 31, 13, 12>;
    using Second = thrust::random::linear_feedback_shift_engine<std::uint32_t, 32, 29, 2, 4>;
    using Third = thrust::random::linear_feedback_shift_engine<std::uint32_t, 32, 28, 3, 17>;
    using Rest = thrust::random::xor_combine_engine<Second, 0, Third, 0>;
    thrust::random::taus88 engine{First{first}, Rest{Second{second}, Third{third}}};
    std::vector<std::uint32_t> words(count);
    for (std::uint32_t& word : words) {
        word = engine();
    }
    return words;
}

#else

bool const has_thrust = false;

std::vector<std::uint32_t> thrust_taus88_words(std::uint32_t, std::uint32_t, std::uint32_t, std::size_t) { return {}; }

#endif

}  // namespace lockstep::random
