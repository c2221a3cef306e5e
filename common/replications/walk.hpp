#pragma once
// A random walk on a torus of 60 x 50 squares, divided into chunks (section 6.1, after Vattulainen and Ala-Nissila).
//
// Divergence: the four directions, and whether a step leaves a chunk. Words: one per step, after two for the first
// square. Bytes: 12 per replication.
//
// Cooperative, and without branches: the position is a prefix sum of the steps, modulo the map's size. A step takes two
// bits of a word of directions, which is kept from the scan to the run. Edges are counted by a table in shared memory.

#include "common/replications/directions.hpp"
#include "common/replications/parameters.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

struct Walk {
    static constexpr unsigned words_per_result = 3;
    static constexpr unsigned words_before = 2;
    static constexpr unsigned words_per_item = 1;
    static constexpr bool has_past = true;
    static constexpr bool composes = true;

    struct State {
        unsigned x, y;
    };
    struct Sums {
        unsigned crossings;
    };
    struct Transform {
        int east, north;
    };

    // Words of 12 steps each (directions.hpp), and the directions of the steps after them.
    static constexpr unsigned kept_words = 40;
    template <class Engine>
    struct Kept {
        __device__ explicit Kept(Engine const& stream) : rest(stream) {}

        Directions<Engine> rest;
        unsigned words[kept_words];
    };

    // The steps within a chunk, three at a time, for one coordinate: chunk_width squares of x, then chunk_height of y,
    // and 64 directions each. Entries fit the map of 30 chunks.
    static constexpr unsigned items_for_table = 2 * steps_per_word;  // per lane, for the table to pay
    static constexpr unsigned table_steps = 3;
    static constexpr unsigned table_squares = 20;
    static constexpr unsigned crossings_shift = 24;
    static constexpr unsigned places = 0xffffu & ~((1u << 2 * table_steps) - 1);
    struct alignas(16) Table {
        SharedArray<unsigned, table_squares << 2 * table_steps> moves;
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

    // The same without branches, for the `steps` steps of a word of directions. A step east or north crosses an edge if
    // the new square begins a chunk, and a step west or south if the old square does. Bit s of a mask is set if square
    // s begins a chunk.
    __device__ static void follow_word(Point const& point, State& state, unsigned& crossings, unsigned word,
                                       unsigned steps) {
        unsigned long long const starts_x = starts(map_width, point.chunk_width);
        unsigned long long const starts_y = starts(map_height, point.chunk_height);
        for (unsigned left = steps; left > 0; --left) {
            unsigned const direction = word >> (2 * (left - 1));
            bool const vertical = (direction & 2u) != 0;
            bool const back = (direction & 1u) != 0;
            unsigned const size = vertical ? map_height : map_width;
            unsigned const old = vertical ? state.y : state.x;
            unsigned const up = old + 1 == size ? 0 : old + 1;
            unsigned const down = old == 0 ? size - 1 : old - 1;
            unsigned const now = back ? down : up;
            unsigned const edge = back ? old : up;
            crossings += static_cast<unsigned>((vertical ? starts_y : starts_x) >> edge) & 1u;
            state.x = vertical ? state.x : now;
            state.y = vertical ? now : state.y;
        }
    }

    // Follows `items` steps. `next(steps)` returns the directions of 12, of which the first `steps` are followed.
    template <class Next>
    __device__ static void follow(Table* table, Point const& point, State& state, Sums& sums, unsigned items,
                                  Next const& next) {
        unsigned const words = items / steps_per_word;
        unsigned const rest = items % steps_per_word;
        unsigned crossings = 0;
        if (table == nullptr) {
            for (unsigned i = 0; i < words; ++i)
                follow_word(point, state, crossings, next(steps_per_word), steps_per_word);
        } else {
            crossings = follow_by_table(*table, point, state, words, next);
        }
        if (rest > 0)
            follow_word(point, state, crossings, first_steps(next(rest), rest), rest);
        sums.crossings += crossings;
    }

    template <class Engine>
    __device__ static void run_together(Table* table, Point const& point, Engine const& stream, State& state,
                                        Sums& sums, unsigned items) {
        Directions<Engine> directions(stream);
        unsigned const to_draw = Directions<Engine>::words_to_draw * steps_per_word;
        unsigned const drawn = items < to_draw ? items : to_draw;
        follow(table, point, state, sums, drawn, [&](unsigned steps) { return directions.draw(steps); });
        follow(table, point, state, sums, items - drawn, [&](unsigned) { return directions.next(); });
    }

    // Keeps the directions of the first steps, so that finish() need not draw them again.
    template <class Engine>
    __device__ static Transform piece(Point const&, unsigned items, Kept<Engine>& kept) {
        Directions<Engine> directions = kept.rest;
        Transform all = identity();
        unsigned done = 0;
        auto const keep = [&](unsigned i, unsigned word) {
            kept.words[i] = word;
            all = compose(all, displacement_of(word, items - done));
            done += steps_per_word;
        };
        unsigned i = 0;
#if defined(__CUDACC__)
#pragma unroll 1
#endif
        for (; i < Directions<Engine>::words_to_draw && done < items; ++i)
            keep(i, directions.draw(items - done < steps_per_word ? items - done : steps_per_word));
        for (; i < kept_words && done < items; ++i)
            keep(i, directions.next());
        kept.rest = directions;
        for (; done < items; done += steps_per_word)
            all = compose(all, displacement_of(directions.next(), items - done));
        return all;
    }

    template <class Engine>
    __device__ static void finish(Table* table, Point const& point, State& state, Sums& sums, unsigned items,
                                  Kept<Engine> const& kept) {
        Directions<Engine> rest = kept.rest;
        unsigned word = 0;
        follow(table, point, state, sums, items,
               [&](unsigned) { return word < kept_words ? kept.words[word++] : rest.next(); });
    }

    // Returns false if this map has no table. All threads of the block call it, and meet before they use the table.
    __device__ static bool fill(Table& table, Point const& point, unsigned thread, unsigned threads) {
        unsigned const squares = point.chunk_width + point.chunk_height;
        if (squares > table_squares)
            return false;
        // The four entries of three steps that begin with the same two.
        for (unsigned i = thread; i < squares << (2 * table_steps - 2); i += threads) {
            unsigned const square = i >> (2 * table_steps - 2);
            bool const vertical = square >= point.chunk_width;
            unsigned const first = vertical ? point.chunk_width : 0;
            unsigned const size = vertical ? point.chunk_height : point.chunk_width;
            OfChunk two = {square - first, 0};
#pragma unroll
            for (unsigned shift = 2 * table_steps - 2; shift > 0; shift -= 2)
                two.move(i >> (shift - 2) & 3u, vertical, size);
#pragma unroll
            for (unsigned direction = 0; direction < 4; ++direction) {
                OfChunk three = two;
                three.move(direction, vertical, size);
                table.moves[4 * i + direction] = three.crossings << crossings_shift | (three.at + first)
                                                                                          << (2 * table_steps);
            }
        }
        return true;
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

protected:
    // One coordinate within its chunk.
    struct OfChunk {
        unsigned at, crossings;

        __host__ __device__ void move(unsigned direction, bool vertical, unsigned size) {
            bool const here = (direction >> 1 != 0) == vertical;
            bool const back = (direction & 1u) != 0;
            unsigned const last = back ? 0 : size - 1;
            unsigned const first = back ? size - 1 : 0;
            bool const leaves = here && at == last;
            crossings += leaves ? 1u : 0u;
            at = leaves ? first : at + (here ? (back ? ~0u : 1u) : 0u);
        }
    };

private:
    __device__ static unsigned long long starts(unsigned size, unsigned chunk) {
        unsigned long long mask = 0;
        for (unsigned square = 0; square < size; square += chunk)
            mask |= 1ull << square;
        return mask;
    }

    // Both coordinates within the chunk take three steps per look-up; an entry is the next one's place and the number
    // of edges that it crosses.
    template <class Next>
    __device__ static unsigned follow_by_table(Table& table, Point const& point, State& state, unsigned words,
                                               Next const& next) {
        constexpr unsigned of_directions = (1u << 2 * table_steps) - 1;
        unsigned x = state.x % point.chunk_width << 2 * table_steps;
        unsigned y = (state.y % point.chunk_height + point.chunk_width) << 2 * table_steps;
        Transform moved_by = identity();
        unsigned crossings = 0;
        for (unsigned i = 0; i < words; ++i) {
            unsigned const word = next(steps_per_word);
            unsigned sum = 0;
#pragma unroll
            for (unsigned shift = 2 * steps_per_word; shift > 0; shift -= 2 * table_steps) {
                unsigned const three = word >> (shift - 2 * table_steps) & of_directions;
                x = table.moves[(x & places) | three];
                y = table.moves[(y & places) | three];
                sum += x + y;
            }
            crossings += sum >> crossings_shift;
            moved_by = compose(moved_by, displacement(word, steps_per_word));
        }
        state = apply(state, moved_by);
        return crossings;
    }

    // The first `steps` steps of a word, in its lower bits.
    __device__ static unsigned first_steps(unsigned word, unsigned steps) {
        return word >> 2 * (steps_per_word - steps);
    }

    // Of the first `left` steps of a word, if it has as many.
    __device__ static Transform displacement_of(unsigned word, unsigned left) {
        unsigned const steps = left < steps_per_word ? left : steps_per_word;
        return displacement(first_steps(word, steps), steps);
    }

    // Of `steps` steps; the other bits of the word are 0.
    __device__ static Transform displacement(unsigned word, unsigned steps) {
        constexpr unsigned low = 0x55555555u;
        unsigned const vertical = word >> 1 & low;
        unsigned const back = word & low;
        int const up_and_down = __popc(vertical);
        int const south = __popc(vertical & back);
        int const west = __popc(back) - south;
        return {static_cast<int>(steps) - up_and_down - 2 * west, up_and_down - 2 * south};
    }
    __device__ static unsigned moved(unsigned square, int by, unsigned size) {
        int const there = (static_cast<int>(square) + by) % static_cast<int>(size);
        return static_cast<unsigned>(there < 0 ? there + static_cast<int>(size) : there);
    }
};

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
