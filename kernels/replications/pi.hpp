#pragma once
// Pi by Monte Carlo (section 6.1): draws in the quarter circle. What diverges: nothing but one predicated addition.
// Words: two a draw. Bytes: 8 a replication. Cooperative: a sum; a lane needs nothing of the lanes before it.

#include "harness/random/uniform.hpp"
#include "harness/simt/kernel.hpp"
#include "reference_cpu/replications/point.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

struct Pi {
    static constexpr unsigned words_a_result = 2;
    static constexpr unsigned words_before = 0;  // of the stream, before the first item
    static constexpr unsigned words_an_item = 2;
    static constexpr bool has_past = false;  // whether an item depends on those before it

    struct State {};
    struct Sums {
        unsigned long long inside;
    };
    struct Piece {};  // what a run of items does to a state

    template <class Engine>
    __device__ static State begin(Point const&, Engine&) {
        return {};
    }

    template <class Engine>
    __device__ static void run(Point const&, Engine& stream, State&, Sums& sums, unsigned items) {
        unsigned inside = 0;
        for (unsigned draw = 0; draw < items; ++draw) {
            float const x = random::LOCKSTEP_MACHINE::unit_float(stream());
            float const y = random::LOCKSTEP_MACHINE::unit_float(stream());
            if (x * x + y * y < 1.0f)
                ++inside;
        }
        sums.inside += inside;
    }
    template <class Engine>
    __device__ static void run_together(Point const& point, Engine& stream, State& state, Sums& sums, unsigned items) {
        run(point, stream, state, sums, items);
    }

    template <class Engine>
    __device__ static Piece piece(Point const&, Engine, unsigned) {
        return {};
    }
    __device__ static Piece nothing() { return {}; }
    __device__ static Piece then(Piece const&, Piece const&) { return {}; }
    __device__ static State after(State const& state, Piece const&) { return state; }

    template <class Exchange>
    __device__ static Piece exchange(Piece const&, Exchange const&) {
        return {};
    }
    template <class Exchange>
    __device__ static Sums exchange(Sums const& sums, Exchange const& with) {
        return {with(sums.inside)};
    }
    __device__ static Sums add(Sums const& a, Sums const& b) { return {a.inside + b.inside}; }

    __device__ static void write(Point const&, State const&, Sums const& sums, unsigned* result) {
        result[0] = static_cast<unsigned>(sums.inside);
        result[1] = static_cast<unsigned>(sums.inside >> 32);
    }
};

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
