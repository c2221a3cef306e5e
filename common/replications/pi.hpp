#pragma once
// Pi by Monte Carlo (section 6.1): counts the draws in the quarter circle.
//
// Divergence: one predicated addition. Words: two per draw. Bytes: 8 per replication. Cooperative: a sum; no lane
// depends on the lanes before it.

#include "common/replications/point.hpp"
#include "harness/random/uniform.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

struct Pi {
    static constexpr unsigned words_per_result = 2;
    static constexpr unsigned words_before = 0;  // words drawn before the first item
    static constexpr unsigned words_per_item = 2;
    static constexpr bool has_past = false;  // true if an item depends on the items before it
    static constexpr bool composes = true;   // runs of items compose, so lanes can share a replication

    struct State {};
    struct Sums {
        unsigned long long inside;
    };
    struct Transform {};  // how a run of items changes the state
    struct Table {};
    static constexpr unsigned items_for_table = 0;  // no table

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
    __device__ static void run_together(Table*, Point const& point, Engine& stream, State& state, Sums& sums,
                                        unsigned items) {
        run(point, stream, state, sums, items);
    }

    __device__ static Transform identity() { return {}; }
    __device__ static Transform compose(Transform const&, Transform const&) { return {}; }
    __device__ static State apply(State const& state, Transform const&) { return state; }

    template <class Exchange>
    __device__ static Transform exchange(Transform const&, Exchange const&) {
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
