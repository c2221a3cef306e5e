#pragma once
// A synthetic model of a branching step: a random one of `ways` ways computes `rounds` rounds on the step's word
// (ways.hpp), then `loads` words are read from memory, each at an address that the one before it determines.
//
// Divergence: up to `ways` branches per step. Words: one per step. Bytes: 8 per replication, and 4 * loads per step.
// Cooperative: a sum; no step depends on the steps before it.

#include "common/replications/parameters.hpp"
#include "common/replications/ways.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

struct Branches {
    static constexpr unsigned words_per_result = 2;
    static constexpr unsigned words_before = 0;
    static constexpr unsigned words_per_item = 1;
    static constexpr bool has_past = false;
    static constexpr bool composes = true;

    struct State {};
    struct Sums {
        unsigned long long total;
    };
    struct Transform {};
    struct Table {};
    static constexpr unsigned items_for_table = 0;  // no table

    template <class Engine>
    __device__ static State begin(Point const&, Engine&) {
        return {};
    }

    template <class Engine>
    __device__ static void run(Point const& point, Engine& stream, State&, Sums& sums, unsigned items) {
        for (unsigned step = 0; step < items; ++step) {
            unsigned const word = stream();
            unsigned const way = static_cast<unsigned>(static_cast<unsigned long long>(word) * point.ways >> 32);
            unsigned x = mixed_by(way, word, point.rounds);
            for (unsigned load = 0; load < point.loads; ++load)
                x += point.memory[x >> (32 - memory_bits)];
            sums.total += x;
        }
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
        return {with(sums.total)};
    }
    __device__ static Sums add(Sums const& a, Sums const& b) { return {a.total + b.total}; }

    __device__ static void write(Point const&, State const&, Sums const& sums, unsigned* result) {
        result[0] = static_cast<unsigned>(sums.total);
        result[1] = static_cast<unsigned>(sums.total >> 32);
    }
};

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
