// Limits of population counts, shuffles and warp reductions, whose units have fewer lanes than the integer unit. Each
// thread has eight independent chains. Each operation is followed by one addition, which runs concurrently on the wider
// integer unit and keeps values from converging.

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/bench/limits/thread_word_probe.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::limits::LOCKSTEP_MACHINE {

inline constexpr unsigned warp_chains = 8;
inline constexpr unsigned warp_rounds = 16;

__host__ __device__ inline unsigned first_word(unsigned thread, unsigned chain, unsigned seed) {
    return mix(thread * warp_chains + chain + seed);
}

// x += popc(x)
struct PopulationCount {
    __device__ static unsigned step(unsigned x, unsigned) { return x + static_cast<unsigned>(__popc(x)); }

    static unsigned after(unsigned thread, unsigned chain, unsigned steps, unsigned seed) {
        unsigned x = first_word(thread, chain, seed);
        for (unsigned n = 0; n < steps; ++n) {
            x += static_cast<unsigned>(__builtin_popcount(x));
        }
        return x;
    }
};

// x of the next lane plus the own lane's number. After n steps, x is the first word of lane + n plus n lane numbers.
struct Shuffle {
    __device__ static unsigned step(unsigned x, unsigned lane) {
        return __shfl_sync(0xFFFFFFFFu, x, static_cast<int>((lane + 1) % 32)) + lane;
    }

    static unsigned after(unsigned thread, unsigned chain, unsigned steps, unsigned seed) {
        unsigned const lane = thread % 32;
        unsigned x = first_word(thread - lane + (lane + steps) % 32, chain, seed);
        for (unsigned n = 0; n < steps; ++n) {
            x += (lane + n) % 32;
        }
        return x;
    }
};

// x += the warp's sum of x. Each step multiplies the sum by 33.
struct Reduction {
    __device__ static unsigned step(unsigned x, unsigned) { return x + __reduce_add_sync(0xFFFFFFFFu, x); }

    static unsigned after(unsigned thread, unsigned chain, unsigned steps, unsigned seed) {
        unsigned sum = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
            sum += first_word(thread / 32 * 32 + lane, chain, seed);
        }
        unsigned x = first_word(thread, chain, seed);
        for (unsigned n = 0; n < steps; ++n) {
            x += sum;
            sum *= 33;
        }
        return x;
    }
};

template <class Operation>
__global__ void __launch_bounds__(256) warp_kernel(LoopParameters const parameters) {
    unsigned const thread = thread_number();
    unsigned const lane = thread % 32;
    unsigned x[warp_chains];
    for (unsigned i = 0; i < warp_chains; ++i) {
        x[i] = first_word(thread, i, parameters.seed);
    }
#pragma unroll 1
    for (unsigned n = 0; n < parameters.iterations; ++n) {
#pragma unroll
        for (unsigned round = 0; round < warp_rounds; ++round) {
#pragma unroll
            for (unsigned i = 0; i < warp_chains; ++i) {
                x[i] = Operation::step(x[i], lane);
            }
        }
    }
    unsigned word = 0;
    for (unsigned i = 0; i < warp_chains; ++i) {
        word = word * 31 + x[i];
    }
    parameters.words[thread] = word;
}

template <class Operation>
unsigned warp_expected(unsigned thread, LoopParameters parameters) {
    unsigned word = 0;
    for (unsigned i = 0; i < warp_chains; ++i) {
        word = word * 31 + Operation::after(thread, i, parameters.iterations * warp_rounds, parameters.seed);
    }
    return word;
}

template <class Operation>
Limit warp_limit(char const* name, char const* item, char const* description, unsigned iterations) {
    Limit limit{name, item, description, machine, Quantity::rate, true, {}};
    limit.make = [name, iterations](Scale const& scale) -> std::unique_ptr<Probe> {
        double const count = double{warp_chains} * warp_rounds;
        Loop const loop{name, warp_kernel<Operation>, warp_expected<Operation>, count, loop_shape(scale)};
        return std::make_unique<ThreadWordProbe>(loop, scale.repetitions(iterations));
    };
    return limit;
}

std::vector<Limit> warp_limits(Scale const&) {
    return {
        warp_limit<PopulationCount>("popc", "POPC", "x += popc(x), 8 chains per thread", 800),
        warp_limit<Shuffle>("shfl", "SHFL", "x = x of the next lane + lane, 8 chains per thread; counts lanes", 1600),
        warp_limit<Reduction>("redux", "REDUX", "x += warp sum of x, 8 chains per thread; counts lanes", 800),
    };
}

}  // namespace lockstep::limits::LOCKSTEP_MACHINE
