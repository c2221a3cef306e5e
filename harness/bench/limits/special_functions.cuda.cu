// Limits of the special function unit: ex2.approx and rsqrt.approx. Only PTX reaches these instructions without the
// scaling of denormal numbers around them, so only nvcc compiles this file. The arguments are hashes in [1, 2): with
// the multiply-add and the logic for an argument and the addition for a result, the other units take half as long as
// the special function unit.
//
// The instructions are approximate. A thread's word is the sum of the results' bits, and each result may differ from
// the host's by a few units in the last place. A missing result changes the sum by about 2^30.

#include <cuda_runtime.h>

#include <cmath>

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/bench/limits/thread_word_probe.hpp"

namespace lockstep::limits::cuda {

namespace {

constexpr unsigned function_chains = 8;
constexpr unsigned function_rounds = 16;
constexpr unsigned units_in_the_last_place = 4;

__host__ __device__ inline unsigned next_state(unsigned state) { return state * 1664525u + 1013904223u; }

// A float in [1, 2).
__host__ __device__ inline float argument_of(unsigned state) {
    return __builtin_bit_cast(float, (state & 0x007FFFFFu) | 0x3F800000u);
}

struct Exponential {
    __device__ static float on_device(float x) {
        float y = 0;
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
        return y;
    }
    static double on_host(double x) { return std::exp2(x); }
};

struct ReciprocalRoot {
    __device__ static float on_device(float x) {
        float y = 0;
        asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
        return y;
    }
    static double on_host(double x) { return 1 / std::sqrt(x); }
};

template <class Function>
__global__ void __launch_bounds__(256) function_kernel(LoopParameters const parameters) {
    unsigned const thread = thread_number();
    unsigned state[function_chains];
    unsigned sum[function_chains];
    for (unsigned i = 0; i < function_chains; ++i) {
        state[i] = mix(thread * function_chains + i + parameters.seed);
        sum[i] = 0;
    }
#pragma unroll 1
    for (unsigned n = 0; n < parameters.iterations; ++n) {
#pragma unroll
        for (unsigned round = 0; round < function_rounds; ++round) {
#pragma unroll
            for (unsigned i = 0; i < function_chains; ++i) {
                state[i] = next_state(state[i]);
                sum[i] += __float_as_uint(Function::on_device(argument_of(state[i])));
            }
        }
    }
    unsigned word = 0;
    for (unsigned i = 0; i < function_chains; ++i) {
        word += sum[i];
    }
    parameters.words[thread] = word;
}

template <class Function>
unsigned function_expected(unsigned thread, LoopParameters parameters) {
    unsigned word = 0;
    for (unsigned i = 0; i < function_chains; ++i) {
        unsigned state = mix(thread * function_chains + i + parameters.seed);
        for (unsigned n = 0; n < parameters.iterations * function_rounds; ++n) {
            state = next_state(state);
            double const argument = argument_of(state);
            word += __builtin_bit_cast(unsigned, static_cast<float>(Function::on_host(argument)));
        }
    }
    return word;
}

template <class Function>
Limit function_limit(char const* name, char const* description) {
    Limit limit{name, "MUFU", description, simt::Machine::cuda, Quantity::rate, true, {}};
    limit.make = [name](Scale const& scale) -> std::unique_ptr<Probe> {
        constexpr unsigned count = function_chains * function_rounds;
        Loop const loop{name,          function_kernel<Function>, function_expected<Function>,
                        double{count}, loop_shape(scale),         count * units_in_the_last_place};
        return std::make_unique<ThreadWordProbe>(loop, scale.repetitions(800));
    };
    return limit;
}

}  // namespace

std::vector<Limit> special_function_limits(Scale const&) {
    return {
        function_limit<Exponential>("mufu.ex2", "ex2.approx of random numbers in [1, 2), 8 chains per thread"),
        function_limit<ReciprocalRoot>("mufu.rsqrt", "rsqrt.approx of random numbers in [1, 2), 8 chains per thread"),
    };
}

}  // namespace lockstep::limits::cuda
