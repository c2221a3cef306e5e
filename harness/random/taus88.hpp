#pragma once
// taus88: three Tausworthe generators of 31, 29 and 28 bits, combined by exclusive or; L'Ecuyer, "Maximally
// equidistributed combined Tausworthe generators", Mathematics of Computation 65(213), 1996. Period about 2^88.
// Produces the same words as boost::random::taus88 and thrust::random::taus88 with the same three component seeds.
//
// A component uses only the upper bits of its seed. A seed whose upper bits are all zero (below 2, 8 or 16,
// respectively) is degenerate: the component then yields only zeros. Boost repairs such seeds; Thrust does not. Here no
// engine with a degenerate seed can be constructed: stream() never selects one, and taus88_from_seeds()
// (taus88_seeds.hpp) throws.

#include "harness/random/gf2.hpp"
#include "harness/random/streams.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

// One component: the bit sequence of x^Bits + x^Tap + 1, advanced by Step bits per word, in the upper Bits bits of a
// word.
template <unsigned Bits, unsigned Tap, unsigned Step, unsigned Modulus>
struct Tausworthe {
    static constexpr unsigned unused = 32 - Bits;
    static constexpr unsigned smallest_seed = 1u << unused;

    __host__ __device__ static constexpr unsigned next(unsigned state) {
        unsigned const entering = ((state << Tap) ^ state) >> (Bits - Step);
        return (state >> unused << unused << Step) ^ entering;
    }

    // Advances by `count` steps. The first step drops the seed's unused bits; the remaining steps are a polynomial in
    // next(), whose characteristic polynomial is Modulus + x^Bits (found with the Berlekamp-Massey algorithm).
    __host__ __device__ static constexpr unsigned jump(unsigned state, unsigned long long count) {
        return count == 0 ? state : apply_jump(state, jump_of(count));
    }

    // Returns the polynomial for `count` steps, with count at least 1. It does not depend on the state, so many engines
    // can share one.
    __host__ __device__ static constexpr unsigned jump_of(unsigned long long count) {
        return power(Gf2Polynomial<Bits>{{2}}, count - 1, Gf2Polynomial<Bits>{{Modulus}}).word[0];
    }

    __host__ __device__ static constexpr unsigned joined(unsigned first, unsigned second) {
        return times(Gf2Polynomial<Bits>{{first}}, Gf2Polynomial<Bits>{{second}}, Gf2Polynomial<Bits>{{Modulus}})
            .word[0];
    }

    __host__ __device__ static constexpr unsigned apply_jump(unsigned state, unsigned polynomial) {
        unsigned const start = next(state);
        unsigned sum = 0;
#if defined(__CUDACC__)
#pragma unroll
#endif
        for (unsigned i = Bits; i-- > 0;) {
            sum = next(sum) ^ ((0u - (polynomial >> i & 1u)) & start);
        }
        return sum;
    }
};

class Taus88 {
public:
    // A precomputed number of words to skip: one polynomial per component. All zero means no words.
    struct JumpAhead {
        unsigned first, second, third;
    };

    using result_type = unsigned;
    using First = Tausworthe<31, 13, 12, 0x02082001u>;
    using Second = Tausworthe<29, 2, 4, 0x00000005u>;
    using Third = Tausworthe<28, 3, 17, 0x000a844du>;

    __host__ __device__ static constexpr result_type min() { return 0; }
    __host__ __device__ static constexpr result_type max() { return 0xffffffffu; }

    __host__ __device__ static constexpr bool degenerate(unsigned first, unsigned second, unsigned third) {
        return first < First::smallest_seed || second < Second::smallest_seed || third < Third::smallest_seed;
    }

    // Seeds each component with an independent word. If a seed is degenerate (6 names in 10^9), the name's next words
    // are used. Two names share a state with probability 2^-88.
    __host__ __device__ static Taus88 stream(unsigned long long seed, unsigned long long unit, unsigned lane) {
        for (unsigned use = 2; use < 16; ++use) {
            Words4 const words = naming_words(seed, unit, lane, use);
            if (!degenerate(words.x, words.y, words.z)) {
                return Taus88(words.x, words.y, words.z);
            }
        }
        return Taus88(First::smallest_seed, Second::smallest_seed, Third::smallest_seed);  // for one name in 10^115
    }

    __host__ __device__ constexpr result_type operator()() {
        first_ = First::next(first_);
        second_ = Second::next(second_);
        third_ = Third::next(third_);
        return first_ ^ second_ ^ third_;
    }

    // Skips `count` words in O(log count) time.
    __host__ __device__ constexpr void discard(unsigned long long count) {
        first_ = First::jump(first_, count);
        second_ = Second::jump(second_, count);
        third_ = Third::jump(third_, count);
    }

    // The same in two parts: jump_of() is expensive and depends only on the count; discard(JumpAhead) is cheap.
    __host__ __device__ static constexpr JumpAhead jump_of(unsigned long long count) {
        return count == 0 ? JumpAhead{0, 0, 0}
                          : JumpAhead{First::jump_of(count), Second::jump_of(count), Third::jump_of(count)};
    }
    // Sets jumps[i] = jump_of(first + i * distance), with one polynomial multiplication per component and entry.
    __host__ __device__ static constexpr void jump_table(unsigned long long first, unsigned long long distance,
                                                         JumpAhead* jumps, unsigned count) {
        JumpAhead const by = jump_of(distance + 1);  // x^distance
        for (unsigned i = 0; i < count; ++i) {
            jumps[i] = i == 0 || jumps[i - 1].first == 0 ? jump_of(first + i * distance)
                                                         : JumpAhead{First::joined(jumps[i - 1].first, by.first),
                                                                     Second::joined(jumps[i - 1].second, by.second),
                                                                     Third::joined(jumps[i - 1].third, by.third)};
        }
    }
    __host__ __device__ constexpr void discard(JumpAhead const& jump) {
        if (jump.first != 0) {
            first_ = First::apply_jump(first_, jump.first);
            second_ = Second::apply_jump(second_, jump.second);
            third_ = Third::apply_jump(third_, jump.third);
        }
    }

#if !defined(__CUDACC_RTC__)  // NVRTC compiles device code only
    friend Taus88 taus88_from_seeds(unsigned first, unsigned second, unsigned third);
#endif

private:
    __host__ __device__ constexpr Taus88(unsigned first, unsigned second, unsigned third)
        : first_(first), second_(second), third_(third) {}

    unsigned first_;
    unsigned second_;
    unsigned third_;
};

}  // namespace lockstep::random::LOCKSTEP_MACHINE
