#pragma once
// The M/M/1 queue (section 6.1), customer by customer. The state is the work left in the system after a customer has
// joined: V' = max(V - gap, 0) + service (Lindley's recursion).
//
// Divergence: none but where a queue grows very long. Words: two per customer. Bytes: 24 per replication.
//
// Only the waits are summed from case to case. The time in the system is the sum of waits and services. The server was
// idle for V_end - V_begin - (sum of services) + (sum of gaps).
//
// Cooperative: a run of customers maps V to max(V + a, b), where a is the sum of services minus that of gaps, and b is
// the work that the run leaves if it finds the system empty. Such maps compose, so a scan computes them:
//
//   (a1, b1) then (a2, b2) = (a1 + a2, max(b1 + a2, b2))
//
// The values are integers, so the result is exact in any order of evaluation.
//
// A run is simulated once, from an empty system, and the time that the server is idle before each of its first
// customers is kept. When the scan tells the work that the run really finds, that much more work is in the system on
// the true path. Each idle time of the first path takes as much from the difference, until both paths are one:
//
//   difference' = max(difference - idle, 0), and the customer waits longer by difference'
//
// So finish() needs neither words nor logarithms for these customers. For those after them it runs both paths.

#include "common/replications/point.hpp"
#include "harness/random/logarithm.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

struct Mm1 {
    static constexpr unsigned words_per_result = 6;
    static constexpr unsigned words_before = 0;
    static constexpr unsigned words_per_item = 2;
    static constexpr bool has_past = true;
    static constexpr bool composes = true;

    struct State {
        long long left;
    };
    struct Sums {
        unsigned long long in_queue, services, gaps;
    };
    struct Transform {
        long long plus, floor;
    };
    struct Table {};
    static constexpr unsigned items_for_table = 0;  // no table

    // One path of the queue. Time is `int` or `long long`.
    template <class Time, class Sum>
    struct Path {
        Time left;
        Sum in_queue;

        // Returns the time that the server is idle before this customer.
        __device__ Sum serve(Sum gap, Sum service) {
            Time const wait = left - static_cast<Time>(gap);
            Time const begin = wait > 0 ? wait : 0;
            left = begin + static_cast<Time>(service);
            in_queue += static_cast<Sum>(begin);
            return static_cast<Sum>(begin - wait);
        }
    };
    using NarrowPath = Path<int, unsigned>;
    using WidePath = Path<long long, unsigned long long>;

    // Customers are served in groups. A group computes with 32 bits if it finds at most `narrow_left` of work and gaps
    // are at most 5 times the largest service: then no time and no sum over the group overflows.
    static constexpr unsigned group = 4;
    static constexpr unsigned narrow_left = 1u << 29;
    static constexpr unsigned narrow_rate = 5u << 16;
    static constexpr unsigned long long max_service = random::LOCKSTEP_MACHINE::max_minus_log;
    static_assert(narrow_left + group * max_service < 1ull << 31);             // the work left
    static_assert(group * 1ull * narrow_left + 6 * max_service < 1ull << 32);  // waits: 0 + 1 + 2 + 3 services
    static_assert(group * max_service * (narrow_rate >> 16) < 1ull << 32);     // gaps
    static_assert(max_service * (narrow_rate >> 16) < 1ull << 31);             // a gap

    // Of a run that finds the system empty: the sums, and what is needed to complete them.
    static constexpr unsigned kept_groups = 64;
    struct alignas(16) KeptGroup {
        unsigned idle[group];  // the time that the server is idle before each customer
    };
    template <class Engine>
    struct Kept {
        __device__ explicit Kept(Engine const& stream) : rest(stream) {}

        Engine rest;  // the stream at the first client after the groups
        Sums sums;
        long long left;    // the work after the last kept group
        unsigned clients;  // in the groups
        KeptGroup groups[kept_groups];
    };

    // The largest amount of work that a group may find to compute with 32 bits; -1 if it never may.
    __device__ static long long max_narrow_work(Point const& point) {
        return point.inverse_rate <= narrow_rate ? static_cast<long long>(narrow_left) : -1;
    }

    __device__ static unsigned long long gap(Point const& point, unsigned word) {
        return static_cast<unsigned long long>(random::LOCKSTEP_MACHINE::minus_log(word)) * point.inverse_rate >> 16;
    }
    __device__ static unsigned service(unsigned word) { return random::LOCKSTEP_MACHINE::minus_log(word); }

    template <class Engine>
    __device__ static State begin(Point const&, Engine&) {
        return {0};
    }

    template <class Engine>
    __device__ static void run(Point const& point, Engine& stream, State& state, Sums& sums, unsigned items) {
        long long const limit = max_narrow_work(point);
        unsigned client = 0;
        for (; items - client >= group; client += group) {
            if (state.left <= limit)
                run_group<NarrowPath, unsigned>(point, stream, state, sums, group);
            else
                run_group<WidePath, unsigned long long>(point, stream, state, sums, group);
        }
        run_group<WidePath, unsigned long long>(point, stream, state, sums, items - client);
    }
    template <class Engine>
    __device__ static void run_together(Table*, Point const& point, Engine& stream, State& state, Sums& sums,
                                        unsigned items) {
        run(point, stream, state, sums, items);
    }

    // Simulates a run that finds the system empty.
    template <class Engine>
    __device__ static Transform piece(Point const& point, unsigned items, Kept<Engine>& kept) {
        long long const limit = max_narrow_work(point);
        unsigned const groups = limit < 0 ? 0 : items / group < kept_groups ? items / group : kept_groups;
        Engine stream = kept.rest;
        State state = {0};
        Sums sums = {};
        for (unsigned i = 0; i < groups; ++i) {
            KeptGroup of;
            if (state.left <= limit)
                run_group<NarrowPath, unsigned>(point, stream, state, sums, group, of.idle);
            else
                run_group<WidePath, unsigned long long>(point, stream, state, sums, group, of.idle);
            kept.groups[i] = of;
        }
        kept.left = state.left;
        kept.clients = groups * group;
        kept.rest = stream;
        run(point, stream, state, sums, items - kept.clients);
        kept.sums = sums;
        return {static_cast<long long>(sums.services) - static_cast<long long>(sums.gaps), state.left};
    }

    // Completes piece() for the work that the run really finds.
    template <class Engine>
    __device__ static void finish(Table*, Point const& point, State const& found, Sums& sums, unsigned items,
                                  Kept<Engine> const& kept) {
        sums = kept.sums;
        long long const limit = max_narrow_work(point);
        unsigned long long difference = static_cast<unsigned long long>(found.left);
        for (unsigned i = 0; difference != 0 && i * group < kept.clients; ++i) {
            if (difference <= narrow_left)
                sums.in_queue += add_difference<unsigned>(kept.groups[i], difference);
            else
                sums.in_queue += add_difference<unsigned long long>(kept.groups[i], difference);
        }
        Engine rest = kept.rest;
        long long empty = kept.left;
        long long real = empty + static_cast<long long>(difference);
        for (unsigned client = kept.clients; real != empty && client < items; client += group) {
            unsigned const clients = items - client < group ? items - client : group;
            if (real <= limit && clients == group)
                correct_group<NarrowPath, unsigned>(point, rest, real, empty, sums, group);
            else
                correct_group<WidePath, unsigned long long>(point, rest, real, empty, sums, clients);
        }
    }

    __device__ static Transform identity() { return {0, 0}; }
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
        return {with(sums.in_queue), with(sums.services), with(sums.gaps)};
    }
    __device__ static Sums add(Sums const& a, Sums const& b) {
        return {a.in_queue + b.in_queue, a.services + b.services, a.gaps + b.gaps};
    }

    // `state` is that after the last customer; the system was empty before the first.
    __device__ static void write(Point const&, State const& state, Sums const& sums, unsigned* result) {
        unsigned long long const idle = static_cast<unsigned long long>(state.left) + sums.gaps - sums.services;
        unsigned long long const all[] = {idle, sums.in_queue, sums.in_queue + sums.services};
        for (unsigned i = 0; i < 3; ++i) {
            result[2 * i] = static_cast<unsigned>(all[i]);
            result[2 * i + 1] = static_cast<unsigned>(all[i] >> 32);
        }
    }

private:
    // Stores the idle times, which fit 32 bits if computing with 32 bits is allowed, unless `idle` is null.
    template <class AnyPath, class Sum, class Engine>
    __device__ static void run_group(Point const& point, Engine& stream, State& state, Sums& sums, unsigned clients,
                                     unsigned* idle = nullptr) {
        AnyPath path = {static_cast<decltype(path.left)>(state.left), 0};
        Sum services = 0;
        Sum gaps = 0;
        for (unsigned client = 0; client < clients; ++client) {
            Sum const before = static_cast<Sum>(gap(point, stream()));
            Sum const duration = service(stream());
            Sum const unused = path.serve(before, duration);
            if (idle != nullptr)
                idle[client] = static_cast<unsigned>(unused);
            gaps += before;
            services += duration;
        }
        state.left = path.left;
        sums.in_queue += path.in_queue;
        sums.services += services;
        sums.gaps += gaps;
    }

    // Returns the sum of the differences of waits over a group, and updates the difference.
    template <class Sum>
    __device__ static Sum add_difference(KeptGroup const& of, unsigned long long& difference) {
        Sum now = static_cast<Sum>(difference);
        Sum sum = 0;
        for (unsigned client = 0; client < group; ++client) {
            now = now > of.idle[client] ? now - of.idle[client] : 0;
            sum += now;
        }
        difference = now;
        return sum;
    }

    // Serves the same customers on two paths and adds the difference of their waits.
    template <class AnyPath, class Sum, class Engine>
    __device__ static void correct_group(Point const& point, Engine& stream, long long& real, long long& empty,
                                         Sums& sums, unsigned clients) {
        AnyPath above = {static_cast<decltype(above.left)>(real), 0};
        AnyPath below = {static_cast<decltype(below.left)>(empty), 0};
        for (unsigned client = 0; client < clients; ++client) {
            Sum const before = static_cast<Sum>(gap(point, stream()));
            Sum const duration = service(stream());
            above.serve(before, duration);
            below.serve(before, duration);
        }
        real = above.left;
        empty = below.left;
        sums.in_queue += above.in_queue - below.in_queue;
    }
};

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
