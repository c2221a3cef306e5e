#pragma once
// The M/M/1 queue (section 6.1), customer by customer. The state is the work left in the system after a customer has
// joined: V' = max(V - gap, 0) + service (Lindley's recursion).
//
// Divergence: whether the server was idle. Words: two per customer. Bytes: 24 per replication.
//
// Cooperative: a run of customers maps V to max(V + a, b). Such maps compose, so a scan computes them:
//
//   (a1, b1) then (a2, b2) = (a1 + a2, max(b1 + a2, b2))
//
// The values are integers, so the result is exact in any order of evaluation.

#include "common/replications/point.hpp"
#include "harness/random/logarithm.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

struct Mm1 {
    static constexpr unsigned words_per_result = 6;
    static constexpr unsigned words_before = 0;
    static constexpr unsigned words_per_item = 2;
    static constexpr bool has_past = true;

    struct State {
        long long left;
    };
    struct Sums {
        unsigned long long idle, in_queue, in_system;
    };
    struct Transform {
        long long plus, floor;
    };
    // Every state is larger than this, and sums with it do not overflow.
    static constexpr long long no_bound = -(1ll << 61);

    __device__ static long long gap(Point const& point, unsigned word) {
        unsigned long long const unit = random::LOCKSTEP_MACHINE::minus_log(word);
        return static_cast<long long>(unit * point.inverse_rate >> 19);  // from 27 + 16 fractional bits to 24
    }
    __device__ static long long service(unsigned word) { return random::LOCKSTEP_MACHINE::minus_log(word) >> 3; }

    template <class Engine>
    __device__ static State begin(Point const&, Engine&) {
        return {0};
    }

    template <class Engine>
    __device__ static void run(Point const& point, Engine& stream, State& state, Sums& sums, unsigned items) {
        for (unsigned client = 0; client < items; ++client) {
            long long wait = state.left - gap(point, stream());
            if (wait < 0) {
                sums.idle += static_cast<unsigned long long>(-wait);
                wait = 0;
            }
            state.left = wait + service(stream());
            sums.in_queue += static_cast<unsigned long long>(wait);
            sums.in_system += static_cast<unsigned long long>(state.left);
        }
    }
    template <class Engine>
    __device__ static void run_together(Point const& point, Engine& stream, State& state, Sums& sums, unsigned items) {
        run(point, stream, state, sums, items);
    }

    template <class Engine>
    __device__ static Transform piece(Point const& point, Engine stream, unsigned items) {
        Transform all = identity();
        for (unsigned client = 0; client < items; ++client) {
            long long const before = gap(point, stream());
            long long const duration = service(stream());
            all = compose(all, {duration - before, duration});
        }
        return all;
    }
    __device__ static Transform identity() { return {0, no_bound}; }
    __device__ static Transform compose(Transform const& first, Transform const& second) {
        long long const floor = first.floor + second.plus;
        return {first.plus + second.plus, floor > second.floor ? floor : second.floor};
    }
    __device__ static State apply(State const& state, Transform const& transform) {
        long long const left = state.left + transform.plus;
        return {left > transform.floor ? left : transform.floor};
    }

    template <class Exchange>
    __device__ static Transform exchange(Transform const& transform, Exchange const& with) {
        return {with(transform.plus), with(transform.floor)};
    }
    template <class Exchange>
    __device__ static Sums exchange(Sums const& sums, Exchange const& with) {
        return {with(sums.idle), with(sums.in_queue), with(sums.in_system)};
    }
    __device__ static Sums add(Sums const& a, Sums const& b) {
        return {a.idle + b.idle, a.in_queue + b.in_queue, a.in_system + b.in_system};
    }

    __device__ static void write(Point const&, State const&, Sums const& sums, unsigned* result) {
        unsigned long long const all[] = {sums.idle, sums.in_queue, sums.in_system};
        for (unsigned i = 0; i < 3; ++i) {
            result[2 * i] = static_cast<unsigned>(all[i]);
            result[2 * i + 1] = static_cast<unsigned>(all[i] >> 32);
        }
    }
};

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
