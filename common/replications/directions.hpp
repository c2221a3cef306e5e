#pragma once
// The directions of a walk: the two upper bits of each word of a stream, 12 steps at a time.
//
// taus88 is linear, and so is the sequence of any of its bits. The upper bits u of one component's words obey the
// recurrence of the component's minimal polynomial p, which is x^31 + x^25 + x^19 + x^13 + 1 for the first:
//
//   u(n) = u(n - 6) + u(n - 12) + u(n - 18) + u(n - 31)   modulo 2
//
// p divides p(x)^2 = p(x^2), so all lags may be doubled. Then the smallest is 12, and 12 steps follow from steps before
// them at once. The words are only computed for the first steps, and after them 12 steps take 30 operations instead
// of 200. The lags of the other components: 27 and 29; twice 9, 11, 13, 18, 22, 25, 26 and 28.

#include "harness/random/taus88.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

inline constexpr unsigned steps_per_word = 12;

// draw() and next() return the directions of the next 12 steps, two bits each; the last step's are the lowest, and the
// upper 8 bits are 0. The first `words_to_draw` words, at least one, come from draw(), the others from next(). draw()
// may draw fewer steps, and then is the last call; the directions of the others are 0.
template <class Engine>
class Directions {
public:
    static constexpr unsigned words_to_draw = 1;

    __device__ explicit Directions(Engine const& stream) : stream_(stream) {}

    __device__ unsigned draw(unsigned steps) {
        unsigned word = 0;
        for (unsigned i = 0; i < steps; ++i)
            word = __funnelshift_l(stream_(), word, 2);
        return word << 2 * (steps_per_word - steps);
    }
    __device__ unsigned next() { return draw(steps_per_word); }

private:
    Engine stream_;
};

// The steps of one component, a word per 12 steps, the latest first.
template <class Component, unsigned words, unsigned... lags>
class ComponentDirections {
public:
    __device__ void start(unsigned state) { state_ = state; }

    // Draws the component's next word, from which nothing recurs.
    __device__ unsigned drawn_alone() { return state_ = Component::next(state_); }

    // Draws the component's next 12 words.
    __device__ unsigned drawn() {
        unsigned word = 0;
#if defined(__CUDACC__)
#pragma unroll
#endif
        for (unsigned i = 0; i < steps_per_word; ++i) {
            state_ = Component::next(state_);
            word = __funnelshift_l(state_, word, 2);
        }
        return kept(word);
    }
    // The same by the recurrence.
    __device__ unsigned recurred() { return kept((before<lags>() ^ ...) & mask); }

    // The last word, the one before it, and so on, for those who know them without drawing.
    __device__ unsigned& word(unsigned i) { return past_[i]; }

private:
    static constexpr unsigned mask = (1u << 2 * steps_per_word) - 1;

    __device__ unsigned kept(unsigned word) {
#if defined(__CUDACC__)
#pragma unroll
#endif
        for (unsigned i = words - 1; i > 0; --i)
            past_[i] = past_[i - 1];
        return past_[0] = word;
    }
    // The 12 steps that are `lag` steps before the next 12, in the lower bits.
    template <unsigned lag>
    __device__ unsigned before() const {
        constexpr unsigned word = lag / steps_per_word;
        constexpr unsigned bits = 2 * (lag % steps_per_word);
        static_assert(lag >= steps_per_word && (lag - 1) / steps_per_word < words);
        if constexpr (bits == 0)
            return past_[word - 1];
        else
            return past_[word] << (2 * steps_per_word - bits) ^ past_[word - 1] >> bits;
    }

    unsigned state_ = 0;
    unsigned past_[words] = {};
};

template <>
class Directions<random::LOCKSTEP_MACHINE::Taus88> {
    using Taus88 = random::LOCKSTEP_MACHINE::Taus88;

public:
    static constexpr unsigned words_to_draw = 6;  // the largest lag is 62 steps

    __device__ explicit Directions(Taus88 const& stream) {
        struct Components {
            unsigned first, second, third;
        };
        Components const state = __builtin_bit_cast(Components, stream);
        first_.start(state.first);
        second_.start(state.second);
        third_.start(state.third);
    }

    __device__ unsigned draw(unsigned steps) {
        if (steps == steps_per_word)
            return first_.drawn() ^ second_.drawn() ^ third_.drawn();
        unsigned word = 0;
        for (unsigned i = 0; i < steps; ++i)
            word = __funnelshift_l(first_.drawn_alone() ^ second_.drawn_alone() ^ third_.drawn_alone(), word, 2);
        return word << 2 * (steps_per_word - steps);
    }
    __device__ unsigned next() { return first_.recurred() ^ second_.recurred() ^ third_.recurred(); }

private:
    ComponentDirections<Taus88::First, 6, 12, 24, 36, 62> first_;
    ComponentDirections<Taus88::Second, 3, 27, 29> second_;
    ComponentDirections<Taus88::Third, 5, 18, 22, 26, 36, 44, 50, 52, 56> third_;
};

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
