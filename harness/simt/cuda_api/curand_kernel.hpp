#pragma once
// cuRAND's device interface: XORWOW, MRG32k3a and Philox4x32-10, with the words of the library (curand_states.hpp).
// The uniform numbers are the library's bits, in (0, 1]. Normal numbers are by Box and Muller, as the library's, with
// the host's logarithm, sine and cosine.

#include <cmath>

#include "harness/simt/cuda_api/curand_states.hpp"
#include "harness/simt/cuda_api/math_functions.hpp"
#include "harness/simt/cuda_api/vector_types.hpp"

namespace lockstep::simt::cuda {

// The second numbers of the last pairs of normal numbers.
struct SecondNormals {
    bool has_float = false;
    bool has_double = false;
    float as_float = 0;
    double as_double = 0;
};

}  // namespace lockstep::simt::cuda

struct curandStateXORWOW {
    lockstep::simt::cuda::XorwowWords words;
    lockstep::simt::cuda::SecondNormals second;
};
struct curandStateMRG32k3a {
    lockstep::simt::cuda::MrgWords words;
    lockstep::simt::cuda::SecondNormals second;
};
struct curandStatePhilox4_32_10 {
    unsigned long long seed;
    unsigned long long subsequence;
    unsigned long long position;  // of the next word
    lockstep::simt::cuda::PhiloxWords block;
    lockstep::simt::cuda::SecondNormals second;
};
using curandStateXORWOW_t = curandStateXORWOW;
using curandStateMRG32k3a_t = curandStateMRG32k3a;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;

namespace lockstep::simt::cuda {

template <class State>
concept CurandState = std::is_same_v<State, curandStateXORWOW> || std::is_same_v<State, curandStateMRG32k3a> ||
    std::is_same_v<State, curandStatePhilox4_32_10>;
template <class State>
inline constexpr bool is_mrg = std::is_same_v<State, curandStateMRG32k3a>;
template <class State>
inline constexpr bool is_philox = std::is_same_v<State, curandStatePhilox4_32_10>;

// The next number of a recursive generator, in (0, 1].
inline double mrg_uniform(curandStateMRG32k3a* state) {
    MrgWords words = state->words;
    unsigned const number = mrg_next(words);
    state->words = words;
    return number * 2.3283065498378288e-10;  // 1 / m1, rounded up
}

inline float uniform_of(unsigned word) { return static_cast<float>(word) * 0x1p-32f + 0x1p-33f; }
// 53 bits of two words.
inline unsigned long long long_word_of(unsigned low, unsigned high) {
    return low ^ (static_cast<unsigned long long>(high) << 21);
}
inline double uniform_of(unsigned low, unsigned high) {
    return static_cast<double>(long_word_of(low, high)) * 0x1p-53 + 0x1p-54;
}

inline float2 normal_pair(unsigned radius, unsigned angle) {
    constexpr float turn = 2.3283064e-10f * 6.2831855f;
    float const length = sqrtf(-2.0f * logf(uniform_of(radius)));
    float2 result;
    sincosf(static_cast<float>(angle) * turn + turn / 2.0f, &result.x, &result.y);
    return {result.x * length, result.y * length};
}
inline double2 normal_pair(unsigned radius_low, unsigned radius_high, unsigned angle_low, unsigned angle_high) {
    double const length = sqrt(-2.0 * log(uniform_of(radius_low, radius_high)));
    double2 result;
    sincospi(static_cast<double>(long_word_of(angle_low, angle_high)) * 0x1p-52 + 0x1p-53, &result.x, &result.y);
    return {result.x * length, result.y * length};
}

}  // namespace lockstep::simt::cuda

#define LOCKSTEP_CURAND template <lockstep::simt::cuda::CurandState State>

inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateXORWOW* state) {
    *state = {lockstep::simt::cuda::xorwow_init(seed, subsequence, offset), {}};
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateMRG32k3a* state) {
    *state = {lockstep::simt::cuda::mrg_init(seed, subsequence, offset), {}};
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10* state) {
    *state = {seed, subsequence, offset, lockstep::simt::cuda::philox_words(seed, subsequence, offset / 4), {}};
}

inline void skipahead(unsigned long long numbers, curandStateXORWOW* state) {
    state->words = lockstep::simt::cuda::xorwow_skip(state->words, 0, numbers);
}
inline void skipahead_sequence(unsigned long long subsequences, curandStateXORWOW* state) {
    state->words = lockstep::simt::cuda::xorwow_skip(state->words, subsequences, 0);
}
inline void skipahead(unsigned long long numbers, curandStateMRG32k3a* state) {
    state->words = lockstep::simt::cuda::mrg_skip(state->words, 0, numbers);
}
inline void skipahead_subsequence(unsigned long long subsequences, curandStateMRG32k3a* state) {
    state->words = lockstep::simt::cuda::mrg_skip(state->words, subsequences, 0);
}
inline void skipahead(unsigned long long numbers, curandStatePhilox4_32_10* state) {
    curandStatePhilox4_32_10 const before = *state;
    curand_init(before.seed, before.subsequence, before.position + numbers, state);
    state->second = before.second;
}
inline void skipahead_sequence(unsigned long long subsequences, curandStatePhilox4_32_10* state) {
    curandStatePhilox4_32_10 const before = *state;
    curand_init(before.seed, before.subsequence + subsequences, before.position, state);
    state->second = before.second;
}

// A word of 32 bits.
inline unsigned curand(curandStateXORWOW* state) {
    auto words = state->words;
    unsigned const word = lockstep::simt::cuda::xorwow_next(words);
    state->words = words;
    return word;
}
inline unsigned curand(curandStateMRG32k3a* state) {
    auto words = state->words;
    unsigned const number = lockstep::simt::cuda::mrg_next(words);
    state->words = words;
    return static_cast<unsigned>(number * 1.000000048662);  // from m1 to 2^32 numbers
}
inline unsigned curand(curandStatePhilox4_32_10* state) {
    unsigned const word = state->block.word[state->position++ % 4];
    if (state->position % 4 == 0) {
        state->block = lockstep::simt::cuda::philox_words(state->seed, state->subsequence, state->position / 4);
    }
    return word;
}
inline uint4 curand4(curandStatePhilox4_32_10* state) {
    unsigned words[4];
    for (unsigned& word : words) {
        word = curand(state);
    }
    return {words[0], words[1], words[2], words[3]};
}

LOCKSTEP_CURAND float curand_uniform(State* state) {
    if constexpr (lockstep::simt::cuda::is_mrg<State>) {
        return static_cast<float>(lockstep::simt::cuda::mrg_uniform(state));
    } else {
        return lockstep::simt::cuda::uniform_of(curand(state));
    }
}
inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
    using lockstep::simt::cuda::uniform_of;
    uint4 const words = curand4(state);
    return {uniform_of(words.x), uniform_of(words.y), uniform_of(words.z), uniform_of(words.w)};
}
// Philox has 32 bits of one word here, as in the library, and 53 bits in curand_uniform2_double.
LOCKSTEP_CURAND double curand_uniform_double(State* state) {
    if constexpr (lockstep::simt::cuda::is_mrg<State>) {
        return lockstep::simt::cuda::mrg_uniform(state);
    } else if constexpr (lockstep::simt::cuda::is_philox<State>) {
        return curand(state) * 0x1p-32 + 0x1p-32;
    } else {
        unsigned const low = curand(state);
        return lockstep::simt::cuda::uniform_of(low, curand(state));
    }
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
    uint4 const words = curand4(state);
    return {lockstep::simt::cuda::uniform_of(words.x, words.y), lockstep::simt::cuda::uniform_of(words.z, words.w)};
}

LOCKSTEP_CURAND float2 curand_normal2(State* state) {
    if constexpr (lockstep::simt::cuda::is_mrg<State>) {
        float const length = sqrtf(-2.0f * logf(curand_uniform(state)));
        float2 result;
        sincosf(curand_uniform(state) * 6.2831855f, &result.x, &result.y);
        return {result.x * length, result.y * length};
    } else {
        unsigned const radius = curand(state);
        return lockstep::simt::cuda::normal_pair(radius, curand(state));
    }
}
LOCKSTEP_CURAND float curand_normal(State* state) {
    auto& second = state->second;
    if (!second.has_float) {
        float2 const pair = curand_normal2(state);
        second.has_float = true;
        second.as_float = pair.y;
        return pair.x;
    }
    second.has_float = false;
    return second.as_float;
}
inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
    uint4 const words = curand4(state);
    float2 const first = lockstep::simt::cuda::normal_pair(words.x, words.y);
    float2 const second = lockstep::simt::cuda::normal_pair(words.z, words.w);
    return {first.x, first.y, second.x, second.y};
}
LOCKSTEP_CURAND double2 curand_normal2_double(State* state) {
    if constexpr (lockstep::simt::cuda::is_mrg<State>) {
        double const length = sqrt(-2.0 * log(lockstep::simt::cuda::mrg_uniform(state)));
        double2 result;
        sincospi(2.0 * lockstep::simt::cuda::mrg_uniform(state), &result.x, &result.y);
        return {result.x * length, result.y * length};
    } else {
        unsigned words[4];
        for (unsigned& word : words) {
            word = curand(state);
        }
        return lockstep::simt::cuda::normal_pair(words[0], words[1], words[2], words[3]);
    }
}
LOCKSTEP_CURAND double curand_normal_double(State* state) {
    auto& second = state->second;
    if (!second.has_double) {
        double2 const pair = curand_normal2_double(state);
        second.has_double = true;
        second.as_double = pair.y;
        return pair.x;
    }
    second.has_double = false;
    return second.as_double;
}

LOCKSTEP_CURAND float curand_log_normal(State* state, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(state));
}
LOCKSTEP_CURAND float2 curand_log_normal2(State* state, float mean, float deviation) {
    float2 const pair = curand_normal2(state);
    return {expf(mean + deviation * pair.x), expf(mean + deviation * pair.y)};
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
    float4 const four = curand_normal4(state);
    return {expf(mean + deviation * four.x), expf(mean + deviation * four.y), expf(mean + deviation * four.z),
            expf(mean + deviation * four.w)};
}
LOCKSTEP_CURAND double curand_log_normal_double(State* state, double mean, double deviation) {
    return exp(mean + deviation * curand_normal_double(state));
}

#undef LOCKSTEP_CURAND
