// Limits of random words per second: each thread sums the words of its own stream. Measures the engines of
// harness/random and, as an example of a 64-bit linear congruential generator, PCG32 (O'Neill 2014, XSH RR 64/32).

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/bench/limits/thread_word_probe.hpp"
#include "harness/random/philox.hpp"
#include "harness/random/taus88.hpp"
#include "harness/random/xorwow.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::limits::LOCKSTEP_MACHINE {

inline constexpr unsigned words_per_iteration = 16;

// Sums the next 16 words of an engine, one at a time.
template <class Engine>
struct OneByOne {
    Engine engine;
    __host__ __device__ static OneByOne stream(unsigned seed, unsigned thread) {
        return {Engine::stream(seed, thread / 32, thread % 32)};
    }
    __host__ __device__ unsigned sum() {
        unsigned sum = 0;
#pragma unroll
        for (unsigned i = 0; i < words_per_iteration; ++i) {
            sum += engine();
        }
        return sum;
    }
};

// Sums the same words of Philox, one block of four at a time, which is the fastest way to read its stream.
template <int rounds_of_philox>
struct FourByFour {
    random::LOCKSTEP_MACHINE::Philox4x32<rounds_of_philox> engine;
    __host__ __device__ static FourByFour stream(unsigned seed, unsigned thread) {
        return {random::LOCKSTEP_MACHINE::Philox4x32<rounds_of_philox>::stream(seed, thread / 32, thread % 32)};
    }
    __host__ __device__ unsigned sum() {
        unsigned sum = 0;
#pragma unroll
        for (unsigned i = 0; i < words_per_iteration / 4; ++i) {
            random::Words4 const words = engine.next4();
            sum += words.x + words.y + words.z + words.w;
        }
        return sum;
    }
};

// PCG32 with one stream per thread, selected by the increment.
class Pcg32 {
public:
    __host__ __device__ static Pcg32 stream(unsigned long long seed, unsigned long long unit, unsigned lane) {
        Pcg32 engine;
        engine.increment_ = (unit * 32 + lane) * 2 + 1;
        engine.state_ = (seed + engine.increment_) * factor + engine.increment_;
        return engine;
    }
    __host__ __device__ unsigned operator()() {
        unsigned long long const old = state_;
        state_ = old * factor + increment_;
        unsigned const word = static_cast<unsigned>((old ^ (old >> 18)) >> 27 & 0xFFFFFFFFu);
        unsigned const turns = static_cast<unsigned>(old >> 59);
        return (word >> turns) | (word << ((32 - turns) % 32));
    }

private:
    static constexpr unsigned long long factor = 6364136223846793005ull;
    unsigned long long state_ = 0;
    unsigned long long increment_ = 1;
};

template <class Source>
__host__ __device__ inline unsigned sum_of_words(unsigned thread, unsigned iterations, unsigned seed) {
    Source source = Source::stream(seed, thread);
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned n = 0; n < iterations; ++n) {
        sum = sum * 3 + source.sum();
    }
    return sum;
}

template <class Source>
__global__ void __launch_bounds__(256) words_kernel(LoopParameters const parameters) {
    unsigned const thread = thread_number();
    parameters.words[thread] = sum_of_words<Source>(thread, parameters.iterations, parameters.seed);
}

// The host draws the same words one at a time, for either kernel.
template <class Engine>
unsigned words_expected(unsigned thread, LoopParameters parameters) {
    return sum_of_words<OneByOne<Engine>>(thread, parameters.iterations, parameters.seed);
}

template <class Engine, class Source>
Limit word_limit(char const* name, char const* description, unsigned iterations) {
    Limit limit{name, "words", description, machine, Quantity::rate, true, {}};
    limit.make = [name, iterations](Scale const& scale) -> std::unique_ptr<Probe> {
        Loop const loop{name, words_kernel<Source>, words_expected<Engine>, double{words_per_iteration},
                        loop_shape(scale, 8)};
        return std::make_unique<ThreadWordProbe>(loop, scale.repetitions(iterations));
    };
    return limit;
}

std::vector<Limit> random_word_limits(Scale const&) {
    namespace engines = random::LOCKSTEP_MACHINE;
    using engines::Philox4x32;
    using engines::Taus88;
    using engines::Xorwow;
    return {
        word_limit<Xorwow, OneByOne<Xorwow>>("random_words.xorwow",
                                             "XORWOW, each thread sums the words of its own stream", 2000),
        word_limit<Taus88, OneByOne<Taus88>>("random_words.taus88", "taus88, the same", 1000),
        word_limit<Philox4x32<7>, FourByFour<7>>("random_words.philox7", "Philox4x32-7, four words at a time", 1000),
        word_limit<Philox4x32<10>, FourByFour<10>>("random_words.philox10", "Philox4x32-10, four words at a time",
                                                   1000),
        word_limit<Pcg32, OneByOne<Pcg32>>("random_words.pcg32", "PCG32 (XSH RR 64/32), one word at a time", 1000),
    };
}

}  // namespace lockstep::limits::LOCKSTEP_MACHINE
