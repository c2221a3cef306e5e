#pragma once
// XORWOW: a xorshift register of 160 bits whose output is added to a Weyl sequence; Marsaglia, "Xorshift RNGs", Journal
// of Statistical Software 8(14), 2003, section 3.1, and cuRAND's default generator. Period 2^192 - 2^32. Produces the
// same words as cuRAND's curand() after curand_init(seed, subsequence, offset). Its low bits fail BigCrush's LinearComp
// test (NVIDIA's documentation); it is here because the papers used it.

#include "harness/random/gf2.hpp"
#include "harness/random/streams.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

class Xorwow {
public:
    using result_type = unsigned;

    __host__ __device__ static constexpr result_type min() { return 0; }
    __host__ __device__ static constexpr result_type max() { return 0xffffffffu; }

    // The state of curand_init(seed, 0, 0). The register is never all zero: that would require the low mixed seed to
    // equal both -123456789 (first word) and 362436069 (second word).
    __host__ __device__ static constexpr Xorwow from_curand_seed(unsigned long long seed) {
        unsigned const low = 1099087573u * (static_cast<unsigned>(seed & 0xffffffffu) ^ 0xaad26b49u);
        unsigned const high = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
        return Xorwow({123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
                      6615241u + high + low);
    }

    // No two names with the same seed share a state.
    __host__ __device__ static Xorwow stream(unsigned long long seed, unsigned long long unit, unsigned lane) {
        Words4 const first = naming_words(seed, unit, lane, 0);
        Words4 const second = naming_words(seed, unit, lane, 1);
        bool const all_zero = (first.x | first.y | first.z | first.w | second.x) == 0;
        return Xorwow({first.x, first.y, first.z, first.w, all_zero ? 1u : second.x}, second.y);
    }

    __host__ __device__ constexpr result_type operator()() {
        step(register_);
        weyl_ += weyl_step;
        return register_.word[4] + weyl_;
    }

    // Skips `count` words with 160 steps and at most 128 polynomial products. This takes about 10^5 instructions on a
    // GPU: use it for setup, not in an inner loop.
    __host__ __device__ constexpr void discard(unsigned long long count) {
        jump(power(Polynomial{{2}}, count, modulus()));
        weyl_ += weyl_step * static_cast<unsigned>(count & 0xffffffffu);
    }

    // Skips `count` subsequences of 2^67 words each, as cuRAND's skipahead_sequence does. (2^67 is a multiple of 2^32,
    // so the Weyl sequence does not change.)
    __host__ __device__ constexpr void discard_subsequences(unsigned long long count) {
        Polynomial base = {{2}};
        for (int i = 0; i < 67; ++i) {
            base = times(base, base, modulus());
        }
        jump(power(base, count, modulus()));
    }

private:
    struct Register {
        unsigned word[5];
    };
    using Polynomial = Gf2Polynomial<160>;
    static constexpr unsigned weyl_step = 362437;

    __host__ __device__ constexpr Xorwow(Register const& start, unsigned weyl) : register_(start), weyl_(weyl) {}

    __host__ __device__ static constexpr void step(Register& r) {
        unsigned const leaving = r.word[0] ^ (r.word[0] >> 2);
        unsigned const last = r.word[4];
        r = {{r.word[1], r.word[2], r.word[3], last, last ^ (last << 4) ^ leaving ^ (leaving << 1)}};
    }

    // Characteristic polynomial of step(), found with the Berlekamp-Massey algorithm from its low output bit.
    __host__ __device__ static constexpr Polynomial modulus() {
        return {{0x00060001u, 0x08610030u, 0x00062121u, 0x0f3c0035u, 0x00000f0eu}};
    }

    __host__ __device__ constexpr void jump(Polynomial const& steps) {
        Register sum = {};
        for (unsigned i = 160; i-- > 0;) {
            step(sum);
            for (unsigned w = 0; steps.coefficient(i) && w < 5; ++w) {
                sum.word[w] ^= register_.word[w];
            }
        }
        register_ = sum;
    }

    Register register_;
    unsigned weyl_;
};

}  // namespace lockstep::random::LOCKSTEP_MACHINE
