// Limits of arithmetic in registers: fused multiply-adds in FP32 and FP64, 32-bit logic, 32-bit multiply-adds, and
// multiplications of which only the upper word is used. Each thread stores one word and makes no other memory accesses.
//
// FP32: Hopper issues one warp of FFMA per scheduler and clock (128 lanes per SM), but its register file sustains this
// only if an instruction reads two registers and a constant, or finds the third operand in the operand cache. The limit
// is therefore measured with a constant multiplier, with one register that all instructions share, and with three
// registers per instruction. The chains are rotations, x += s y, y -= s x, for which x^2 + y^2 - s x y is invariant, so
// values neither grow, vanish nor converge.

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/bench/limits/thread_word_probe.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::limits::LOCKSTEP_MACHINE {

inline constexpr unsigned chains = 8;
inline constexpr unsigned rounds = 24;  // unrolled: 384 instructions per iteration, plus three for the loop
inline constexpr float turn = 0.4375f;

// A number in [1, 2) whose 23 upper bits of the mantissa are a hash.
template <class Real>
__host__ __device__ inline Real start_value(unsigned thread, unsigned chain, unsigned seed) {
    return Real{1} + static_cast<Real>(mix(thread * 2 * chains + chain + seed) >> 9) * Real{0x1p-23f};
}

__host__ __device__ inline unsigned bits_of(float value) { return __builtin_bit_cast(unsigned, value); }
__host__ __device__ inline unsigned bits_of(double value) {
    unsigned long long const bits = __builtin_bit_cast(unsigned long long, value);
    return static_cast<unsigned>(bits >> 32) * 31 + static_cast<unsigned>(bits);
}

__host__ __device__ inline float multiply_add(float x, float y, float z) { return fmaf(x, y, z); }
__host__ __device__ inline double multiply_add(double x, double y, double z) { return fma(x, y, z); }

// The multiplier of chain i. All these classes return the same number, because there are fewer than 2^24 threads, but
// the compiler can deduce that only for the first.
template <class Number>
struct ConstantTurn {
    using Real = Number;
    __host__ __device__ explicit ConstantTurn(unsigned) {}
    __host__ __device__ Real of(unsigned) const { return turn; }
};

struct SharedTurn {
    using Real = float;
    __host__ __device__ explicit SharedTurn(unsigned thread) : angle(turn + static_cast<float>(thread >> 24)) {}
    __host__ __device__ float of(unsigned) const { return angle; }
    float angle;
};

struct OwnTurn {
    using Real = float;
    __host__ __device__ explicit OwnTurn(unsigned thread) {
        for (unsigned i = 0; i < chains; ++i) {
            angle[i] = turn + static_cast<float>(thread >> (24 + i));
        }
    }
    __host__ __device__ float of(unsigned chain) const { return angle[chain]; }
    float angle[chains];
};

template <class Turn>
__host__ __device__ inline unsigned rotate(unsigned thread, unsigned iterations, unsigned seed) {
    using Real = typename Turn::Real;
    Real x[chains];
    Real y[chains];
    for (unsigned i = 0; i < chains; ++i) {
        x[i] = start_value<Real>(thread, 2 * i, seed);
        y[i] = start_value<Real>(thread, 2 * i + 1, seed);
    }
    Turn const by(thread);
#pragma unroll 1
    for (unsigned n = 0; n < iterations; ++n) {
#pragma unroll
        for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll
            for (unsigned i = 0; i < chains; ++i) {
                x[i] = multiply_add(y[i], by.of(i), x[i]);
            }
#pragma unroll
            for (unsigned i = 0; i < chains; ++i) {
                y[i] = multiply_add(x[i], -by.of(i), y[i]);
            }
        }
    }
    unsigned word = 0;
    for (unsigned i = 0; i < chains; ++i) {
        word = word * 31 + (bits_of(x[i]) ^ mix(bits_of(y[i])));
    }
    return word;
}

template <class Turn>
__global__ void __launch_bounds__(256) fma_kernel(LoopParameters const parameters) {
    unsigned const thread = thread_number();
    parameters.words[thread] = rotate<Turn>(thread, parameters.iterations, parameters.seed);
}

template <class Turn>
unsigned fma_expected(unsigned thread, LoopParameters parameters) {
    return rotate<Turn>(thread, parameters.iterations, parameters.seed);
}

// Keccak's chi, word by word: x[i] ^= ~x[i+1] & x[i+2]. Each step is a nonlinear bijection of the state, so the
// compiler cannot simplify it.
struct Logic {
    __host__ __device__ static unsigned step(unsigned x, unsigned next, unsigned after) { return x ^ (~next & after); }
};

// A multiply-add modulo 2^32 with an odd factor, also a bijection of the state.
struct MultiplyAdd {
    __host__ __device__ static unsigned step(unsigned x, unsigned next, unsigned) { return x * 1664525u + next; }
};

// The upper word of a product of two words, plus a word. The sum keeps the values from vanishing.
struct HighMultiply {
    static constexpr unsigned factor = 0xD2511F53u;  // of Philox
    __host__ __device__ static unsigned step(unsigned x, unsigned next, unsigned) {
#if defined(__CUDA_ARCH__) || defined(LOCKSTEP_EMULATOR)
        return __umulhi(x, factor) + next;
#else
        return static_cast<unsigned>(static_cast<unsigned long long>(x) * factor >> 32) + next;  // nvcc's host code
#endif
    }
};

template <class Operation>
__host__ __device__ inline unsigned churn(unsigned thread, unsigned iterations, unsigned seed) {
    unsigned x[chains];
    for (unsigned i = 0; i < chains; ++i) {
        x[i] = mix(thread * chains + i + seed);
    }
#pragma unroll 1
    for (unsigned n = 0; n < iterations; ++n) {
#pragma unroll
        for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll
            for (unsigned i = 0; i < chains; ++i) {
                x[i] = Operation::step(x[i], x[(i + 1) % chains], x[(i + 2) % chains]);
            }
        }
    }
    unsigned word = 0;
    for (unsigned i = 0; i < chains; ++i) {
        word = word * 31 + x[i];
    }
    return word;
}

template <class Operation>
__global__ void __launch_bounds__(256) integer_kernel(LoopParameters const parameters) {
    unsigned const thread = thread_number();
    parameters.words[thread] = churn<Operation>(thread, parameters.iterations, parameters.seed);
}

template <class Operation>
unsigned integer_expected(unsigned thread, LoopParameters parameters) {
    return churn<Operation>(thread, parameters.iterations, parameters.seed);
}

Limit arithmetic_limit(char const* name, char const* item, char const* description, Loop loop, unsigned iterations) {
    Limit limit{name, item, description, machine, Quantity::rate, true, {}};
    limit.make = [loop, iterations](Scale const& scale) mutable -> std::unique_ptr<Probe> {
        loop.shape = loop_shape(scale);
        return std::make_unique<ThreadWordProbe>(loop, scale.repetitions(iterations));
    };
    return limit;
}

std::vector<Limit> arithmetic_limits(Scale const&) {
    constexpr double fma_count = 2.0 * chains * rounds;
    constexpr double integer_count = 1.0 * chains * rounds;
    return {
        arithmetic_limit("fma", "FMA", "rotations in registers, constant multiplier, 8 chains per thread",
                         {"fma", fma_kernel<ConstantTurn<float>>, fma_expected<ConstantTurn<float>>, fma_count, {}},
                         2400),
        arithmetic_limit("fma.shared_register", "FMA", "the same, one multiplier in a register (operand cache)",
                         {"fma.shared_register", fma_kernel<SharedTurn>, fma_expected<SharedTurn>, fma_count, {}},
                         2400),
        arithmetic_limit("fma.three_registers", "FMA",
                         "the same, one multiplier per chain: three registers per instruction",
                         {"fma.three_registers", fma_kernel<OwnTurn>, fma_expected<OwnTurn>, fma_count, {}}, 2400),
        arithmetic_limit(
            "fma.double", "FMA", "the same rotations in FP64, constant multiplier",
            {"fma.double", fma_kernel<ConstantTurn<double>>, fma_expected<ConstantTurn<double>>, fma_count, {}}, 1200),
        arithmetic_limit("lop3", "LOP3", "Keccak's chi on 8 words in registers",
                         {"lop3", integer_kernel<Logic>, integer_expected<Logic>, integer_count, {}}, 2400),
        arithmetic_limit("imad", "IMAD", "x = a x + y on 8 words in registers",
                         {"imad", integer_kernel<MultiplyAdd>, integer_expected<MultiplyAdd>, integer_count, {}}, 2400),
        arithmetic_limit("imad.high", "IMAD.HI", "x = upper word of a x, + y, on 8 words in registers",
                         {"imad.high", integer_kernel<HighMultiply>, integer_expected<HighMultiply>, integer_count, {}},
                         1200),
    };
}

}  // namespace lockstep::limits::LOCKSTEP_MACHINE
