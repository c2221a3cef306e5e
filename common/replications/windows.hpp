#pragma once
// The directions of a walk (directions.hpp) for lanes that start anywhere in one stream: no lane draws a word.
//
// A bit of a component's words obeys the recurrence of the component's minimal polynomial p. So the bit n steps ahead
// is a sum of the first ones, which x^n mod p selects; and a lane's directions are a sum of windows of the directions
// at the start. These are sums of rows of a table, one per bit of the seed. As in taus88.hpp, the lanes of a warp
// compute the 32 sums of five windows, and each fetches for every five bits of its polynomial the sum that it needs.

#include <vector>

#include "common/replications/directions.hpp"
#include "harness/random/gf2.hpp"
#include "harness/random/taus88.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::replications {

// Words of 16 steps, two bits each: the directions that each bit of a seed adds. Six words of the first component, four
// of the second, six of the third.
struct WindowTable {
    unsigned word[16][32];
};

}  // namespace lockstep::replications

namespace lockstep::replications::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// What a lane's place is computed from: a jump is a polynomial per component.
struct Windows {
    using Taus88 = random::LOCKSTEP_MACHINE::Taus88;

    struct JumpAhead {
        unsigned first, second, third;
    };

    // Steps before a lane's first one that its window holds. The recurrence needs 62, 29 and 56 steps; the window
    // begins there and holds 60 (second: 24) of the lane's own.
    static constexpr unsigned first_back = 2, second_back = 8, third_back = 0;

    // Sets jumps[i] to the place of step first + i * distance.
    static void jump_table(unsigned long long first, unsigned long long distance, JumpAhead* jumps, unsigned count) {
        fill_jumps<31>(first, distance, first_back, 1u << 25 | 1u << 19 | 1u << 13 | 1u, jumps, &JumpAhead::first,
                       count);
        fill_jumps<29>(first, distance, second_back, 1u << 2 | 1u, jumps, &JumpAhead::second, count);
        fill_jumps<28>(first, distance, third_back,
                       1u << 19 | 1u << 17 | 1u << 15 | 1u << 10 | 1u << 6 | 1u << 3 | 1u << 2 | 1u, jumps,
                       &JumpAhead::third, count);
    }

    static WindowTable table() {
        WindowTable table = {};
        fill_component<Taus88::First>(table, 0, 6);
        fill_component<Taus88::Second>(table, 6, 4);
        fill_component<Taus88::Third>(table, 10, 6);
        return table;
    }

private:
    // x^n mod p is periodic in n, so a place before the first step has a polynomial too.
    template <unsigned bits>
    static void fill_jumps(unsigned long long first, unsigned long long distance, unsigned back, unsigned modulus,
                           JumpAhead* jumps, unsigned JumpAhead::*component, unsigned count) {
        using Polynomial = random::LOCKSTEP_MACHINE::Gf2Polynomial<bits>;
        constexpr unsigned long long period = (1ull << bits) - 1;
        Polynomial const p = {{modulus}};
        Polynomial const by = random::LOCKSTEP_MACHINE::power(Polynomial{{2u}}, distance, p);
        Polynomial place = random::LOCKSTEP_MACHINE::power(Polynomial{{2u}}, first + period - back, p);
        for (unsigned i = 0; i < count; ++i) {
            jumps[i].*component = place.word[0];
            place = random::LOCKSTEP_MACHINE::times(place, by, p);
        }
    }

    template <class Component>
    static void fill_component(WindowTable& table, unsigned begin, unsigned words) {
        for (unsigned bit = 0; bit < 32; ++bit) {
            unsigned state = 1u << bit;
            for (unsigned w = begin; w < begin + words; ++w) {
                for (unsigned i = 0; i < 16; ++i) {
                    state = Component::next(state);
                    table.word[w][bit] = table.word[w][bit] << 2 | state >> 30;
                }
            }
        }
    }
};

// next() returns the directions of the next 12 steps, after the `ready` words of first_words().
class WindowDirections {
    using Taus88 = random::LOCKSTEP_MACHINE::Taus88;

public:
    static constexpr unsigned ready = 5;

    // All lanes of the warp call it, with the same stream.
    __device__ WindowDirections(WindowTable const* table, Taus88 const& stream, Windows::JumpAhead const& jump,
                                unsigned lane) {
        struct Components {
            unsigned first, second, third;
        };
        Components const state = __builtin_bit_cast(Components, stream);
        unsigned window[4];
        fetch<6, 31>(table, 0, state.first, jump.first, lane, window);
#pragma unroll
        for (unsigned i = 0; i < ready; ++i)
            first_.word(ready - 1 - i) = twelve(window, Windows::first_back + steps_per_word * i);
        first_.word(ready) = window[0] >> (32 - 2 * Windows::first_back);
        fetch<6, 28>(table, 10, state.third, jump.third, lane, window);
#pragma unroll
        for (unsigned i = 0; i < ready; ++i)
            third_.word(ready - 1 - i) = twelve(window, Windows::third_back + steps_per_word * i);
        unsigned narrow[2];
        fetch<4, 29>(table, 6, state.second, jump.second, lane, narrow);
        second_.word(0) = twelve(narrow, Windows::second_back + steps_per_word);
        second_.word(1) = twelve(narrow, Windows::second_back);
        second_.word(2) = narrow[0] >> (32 - 2 * Windows::second_back);
    }

    __device__ void first_words(unsigned (&words)[ready]) {
#pragma unroll
        for (unsigned i = 0; i < ready; ++i)
            words[i] = first_.word(ready - 1 - i) ^ third_.word(ready - 1 - i) ^
                       (i < 2 ? second_.word(1 - i) : second_.recurred());
    }
    __device__ unsigned next() { return first_.recurred() ^ second_.recurred() ^ third_.recurred(); }

private:
    // The 32 bits from `bit` on; bits after the end are 0.
    template <unsigned words>
    __device__ static unsigned from_bit(unsigned const (&sequence)[words], unsigned bit) {
        unsigned const high = bit / 32 < words ? sequence[bit / 32] : 0u;
        unsigned const low = bit / 32 + 1 < words ? sequence[bit / 32 + 1] : 0u;
        return __funnelshift_l(low, high, bit % 32);
    }
    template <unsigned words>
    __device__ static unsigned twelve(unsigned const (&window)[words], unsigned step) {
        return from_bit(window, 2 * step) >> (32 - 2 * steps_per_word);
    }

    // A component's directions from the step that `polynomial` names. The component has `own_words` words of the table
    // from `begin` on, and a polynomial of `bits` bits.
    template <unsigned own_words, unsigned bits, unsigned words>
    __device__ static void fetch(WindowTable const* table, unsigned begin, unsigned state, unsigned polynomial,
                                 unsigned lane, unsigned (&window)[words]) {
        constexpr unsigned digit = 5;
        unsigned start[own_words];
        unsigned own[own_words] = {};
#pragma unroll
        for (unsigned w = 0; w < own_words; ++w)
            start[w] = __reduce_xor_sync(full_warp, (0u - (state >> lane & 1u)) & table->word[begin + w][lane]);
#pragma unroll
        for (unsigned i = 0; i < digit; ++i) {
#pragma unroll
            for (unsigned w = 0; w < own_words; ++w)
                own[w] ^= (0u - (lane >> i & 1u)) & from_bit(start, 32 * w + 2 * i);
        }
#pragma unroll
        for (unsigned v = 0; v < words; ++v)
            window[v] = 0;
#pragma unroll
        for (unsigned i = 0; i < bits; i += digit) {
#pragma unroll
            for (unsigned v = 0; v < words; ++v)
                window[v] ^= __shfl_sync(full_warp, from_bit(own, 32 * v + 2 * i), static_cast<int>(polynomial >> i));
        }
    }

    ComponentDirections<Taus88::First, 6, 12, 24, 36, 62> first_;
    ComponentDirections<Taus88::Second, 3, 27, 29> second_;
    ComponentDirections<Taus88::Third, 5, 18, 22, 26, 36, 44, 50, 52, 56> third_;
};

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
