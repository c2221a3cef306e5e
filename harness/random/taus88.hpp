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
// word. After the first step, the sequence goes on in the lower bits.
template <unsigned Bits, unsigned Tap, unsigned Step>
struct Tausworthe {
    static constexpr unsigned unused = 32 - Bits;
    static constexpr unsigned smallest_seed = 1u << unused;

    __host__ __device__ static constexpr unsigned next(unsigned state) { return advanced<Step>(state); }

    // Advances by `count` steps. The first step drops the seed's unused bits; the remaining steps are a polynomial in
    // the advance by one bit, whose characteristic polynomial is x^Bits + x^Tap + 1.
    __host__ __device__ static constexpr unsigned jump(unsigned state, unsigned long long count) {
        return count == 0 ? state : apply_jump(state, jump_of(count));
    }

    // Returns the polynomial for `count` steps, with count at least 1. It does not depend on the state, so many engines
    // can share one.
    __host__ __device__ static constexpr unsigned jump_of(unsigned long long count) {
        return power(Polynomial{{1u << Step}}, count - 1, modulus()).word[0];
    }

    __host__ __device__ static constexpr unsigned joined(unsigned first, unsigned second) {
        return times(Polynomial{{first}}, Polynomial{{second}}, modulus()).word[0];
    }

    // Bit i of the polynomial selects the sequence from bit i on.
    __host__ __device__ static constexpr unsigned apply_jump(unsigned state, unsigned polynomial) {
        unsigned long long const sequence = sequence_of(next(state));
        unsigned sum = 0;
#if defined(__CUDACC__)
#pragma unroll
#endif
        for (unsigned i = 0; i < Bits; ++i) {
            sum ^= (0u - (polynomial >> i & 1u)) & from_bit(sequence, i);
        }
        return sum;
    }

    // The same for the 32 lanes of a warp that are in one state, each with its own polynomial. Five bits of a
    // polynomial select one of 32 sums: `lane` computes that of its own number, and `shuffle(value, lane)` fetches the
    // others'.
    template <class Shuffle>
    __device__ static unsigned apply_jump_together(unsigned state, unsigned polynomial, unsigned lane,
                                                   Shuffle const& shuffle) {
        constexpr unsigned digit = 5;
        unsigned long long const sequence = sequence_of(next(state));
        unsigned own = 0;
        for (unsigned i = 0; i < digit; ++i)
            own ^= (0u - (lane >> i & 1u)) & from_bit(sequence, i);
        unsigned long long const own_sequence = sequence_of(own);
        unsigned sum = 0;
#if defined(__CUDACC__)
#pragma unroll
#endif
        for (unsigned i = 0; i < Bits; i += digit)
            sum ^= shuffle(from_bit(own_sequence, i), polynomial >> i);
        return sum;
    }

    // The 64 bits of the sequence that begin with a word.
    __host__ __device__ static constexpr unsigned long long sequence_of(unsigned word) {
        return static_cast<unsigned long long>(word) << 32 | advanced<16>(advanced<16>(word));
    }
    __host__ __device__ static constexpr unsigned from_bit(unsigned long long sequence, unsigned i) {
        return static_cast<unsigned>(sequence << i >> 32);
    }

private:
    using Polynomial = Gf2Polynomial<Bits>;

    __host__ __device__ static constexpr Polynomial modulus() { return {{1u << Tap | 1u}}; }

    // Advances by `count` bits.
    template <unsigned count>
    __host__ __device__ static constexpr unsigned advanced(unsigned state) {
        static_assert(count <= Bits - Tap);
        unsigned const entering = ((state << Tap) ^ state) >> (Bits - count);
        return (state >> unused << unused << count) ^ entering;
    }
};

class Taus88 {
public:
    // A precomputed number of words to skip: one polynomial per component. All zero means no words.
    struct JumpAhead {
        unsigned first, second, third;
    };

    using result_type = unsigned;
    using First = Tausworthe<31, 13, 12>;
    using Second = Tausworthe<29, 2, 4>;
    using Third = Tausworthe<28, 3, 17>;

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

    // The same for the lanes of a warp that are in one state. `shuffle(value, lane)` returns the value of the lane
    // whose number is in the five lower bits of `lane`.
    template <class Shuffle>
    __device__ void discard_together(JumpAhead const& jump, unsigned lane, Shuffle const& shuffle) {
        unsigned const first = First::apply_jump_together(first_, jump.first, lane, shuffle);
        unsigned const second = Second::apply_jump_together(second_, jump.second, lane, shuffle);
        unsigned const third = Third::apply_jump_together(third_, jump.third, lane, shuffle);
        if (jump.first != 0) {
            first_ = first;
            second_ = second;
            third_ = third;
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
