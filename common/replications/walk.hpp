#pragma once
// A random walk on a torus of 60 x 50 squares, divided into chunks (section 6.1, after Vattulainen and Ala-Nissila).
//
// Divergence: the four directions, and whether a step leaves a chunk. Words: one per step, after two for the first
// square. Bytes: 12 per replication. Cooperative: the position is a prefix sum of the steps, modulo the map's size.

#include "common/replications/point.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

struct Walk {
    static constexpr unsigned words_per_result = 3;
    static constexpr unsigned words_before = 2;
    static constexpr unsigned words_per_item = 1;
    static constexpr bool has_past = true;

    struct State {
        unsigned x, y;
    };
    struct Sums {
        unsigned crossings;
    };
    struct Transform {
        int east, north;
    };

    __device__ static unsigned scaled(unsigned word, unsigned below) {
        return static_cast<unsigned>(static_cast<unsigned long long>(word) * below >> 32);
    }
    __device__ static unsigned chunk_of(Point const& point, State const& at) {
        return at.x / point.chunk_width + map_width / point.chunk_width * (at.y / point.chunk_height);
    }

    template <class Engine>
    __device__ static State begin(Point const&, Engine& stream) {
        unsigned const x = scaled(stream(), map_width);
        return {x, scaled(stream(), map_height)};
    }

    // As the paper describes it: a branch per direction, and a branch if the chunk changes.
    template <class Engine>
    __device__ static void run(Point const& point, Engine& stream, State& state, Sums& sums, unsigned items) {
        unsigned chunk_x = state.x % point.chunk_width;
        unsigned chunk_y = state.y % point.chunk_height;
        for (unsigned step = 0; step < items; ++step) {
            switch (stream() >> 30) {
                case 0:
                    state.x = state.x + 1 == map_width ? 0 : state.x + 1;
                    if (++chunk_x == point.chunk_width) {
                        chunk_x = 0;
                        ++sums.crossings;
                    }
                    break;
                case 1:
                    state.x = state.x == 0 ? map_width - 1 : state.x - 1;
                    if (chunk_x-- == 0) {
                        chunk_x = point.chunk_width - 1;
                        ++sums.crossings;
                    }
                    break;
                case 2:
                    state.y = state.y + 1 == map_height ? 0 : state.y + 1;
                    if (++chunk_y == point.chunk_height) {
                        chunk_y = 0;
                        ++sums.crossings;
                    }
                    break;
                default:
                    state.y = state.y == 0 ? map_height - 1 : state.y - 1;
                    if (chunk_y-- == 0) {
                        chunk_y = point.chunk_height - 1;
                        ++sums.crossings;
                    }
                    break;
            }
        }
    }

    // The same without branches. A step east or north crosses an edge if the new square begins a chunk, and a step west
    // or south if the old square does. Bit s of a mask is set if square s begins a chunk.
    template <class Engine>
    __device__ static void run_together(Point const& point, Engine& stream, State& state, Sums& sums, unsigned items) {
        unsigned long long const starts_x = starts(map_width, point.chunk_width);
        unsigned long long const starts_y = starts(map_height, point.chunk_height);
        unsigned crossings = 0;
        for (unsigned step = 0; step < items; ++step) {
            unsigned const word = stream();
            bool const vertical = word >> 31 != 0;
            unsigned const back = word >> 30 & 1u;
            unsigned const size = vertical ? map_height : map_width;
            unsigned const old = vertical ? state.y : state.x;
            unsigned const up = old + 1 == size ? 0 : old + 1;
            unsigned const down = old == 0 ? size - 1 : old - 1;
            unsigned const now = back != 0 ? down : up;
            unsigned const edge = back != 0 ? old : up;
            crossings += static_cast<unsigned>((vertical ? starts_y : starts_x) >> edge) & 1u;
            state.x = vertical ? state.x : now;
            state.y = vertical ? now : state.y;
        }
        sums.crossings += crossings;
    }

    template <class Engine>
    __device__ static Transform piece(Point const&, Engine stream, unsigned items) {
        Transform all = identity();
        for (unsigned step = 0; step < items; ++step) {
            unsigned const word = stream();
            int const by = 1 - 2 * static_cast<int>(word >> 30 & 1u);
            bool const vertical = word >> 31 != 0;
            all.east += vertical ? 0 : by;
            all.north += vertical ? by : 0;
        }
        return all;
    }
    __device__ static Transform identity() { return {0, 0}; }
    __device__ static Transform compose(Transform const& first, Transform const& second) {
        return {first.east + second.east, first.north + second.north};
    }
    __device__ static State apply(State const& state, Transform const& transform) {
        return {moved(state.x, transform.east, map_width), moved(state.y, transform.north, map_height)};
    }

    template <class Exchange>
    __device__ static Transform exchange(Transform const& transform, Exchange const& with) {
        return {with(transform.east), with(transform.north)};
    }
    template <class Exchange>
    __device__ static Sums exchange(Sums const& sums, Exchange const& with) {
        return {with(sums.crossings)};
    }
    __device__ static Sums add(Sums const& a, Sums const& b) { return {a.crossings + b.crossings}; }

    __device__ static void write(Point const& point, State const& state, Sums const& sums, unsigned* result) {
        result[0] = state.x | state.y << 16;
        result[1] = chunk_of(point, state);
        result[2] = sums.crossings;
    }

private:
    __device__ static unsigned long long starts(unsigned size, unsigned chunk) {
        unsigned long long mask = 0;
        for (unsigned square = 0; square < size; square += chunk)
            mask |= 1ull << square;
        return mask;
    }
    __device__ static unsigned moved(unsigned square, int by, unsigned size) {
        int const there = (static_cast<int>(square) + by) % static_cast<int>(size);
        return static_cast<unsigned>(there < 0 ? there + static_cast<int>(size) : there);
    }
};

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
