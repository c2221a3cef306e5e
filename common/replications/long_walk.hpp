#pragma once
// The random walk for teams with long runs of steps: a lane starts from windows of directions (windows.hpp), and one
// look-up moves both coordinates by three steps. Chunks have at most 100 squares.
//
// Divergence: the last words of a run. Words: two for the first square, none for steps. Bytes: a table of 12 800 per
// block, which the host fills.

#include <vector>

#include "common/replications/walk.hpp"
#include "common/replications/windows.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

struct LongWalk : Walk {
    static constexpr unsigned max_squares = 100;  // of a chunk
    static constexpr unsigned entries = max_squares << 2 * table_steps;
    static constexpr unsigned crossings_at = 13;
    static constexpr unsigned square_bits = 0x1fc0u;

    // Square of the chunk and three directions -> crossings and the next square, at `square_bits`.
    struct Table {
        alignas(16) SharedArray<unsigned short, entries> moves;
    };

    // The first words of a run, and the directions after them. Words begin at 3, so that groups of four are aligned.
    struct Kept {
        static constexpr unsigned begin = 3;
        static constexpr unsigned end = 44;
        static constexpr unsigned steps = (end - begin) * steps_per_word;

        alignas(16) unsigned words[end];
        WindowDirections rest;

        __device__ explicit Kept(WindowDirections const& directions) : rest(directions) {}
    };

    static std::vector<unsigned short> table_of(Point const& point) {
        std::vector<unsigned short> table(entries);
        for (unsigned from = 0; from < (point.chunk_width * point.chunk_height) << 2 * table_steps; ++from) {
            unsigned const square = from >> 2 * table_steps;
            OfChunk x = {square % point.chunk_width, 0};
            OfChunk y = {square / point.chunk_width, 0};
            for (unsigned shift = 2 * table_steps; shift > 0; shift -= 2) {
                x.move(from >> (shift - 2) & 3u, false, point.chunk_width);
                y.move(from >> (shift - 2) & 3u, true, point.chunk_height);
            }
            table[from] = static_cast<unsigned short>((x.crossings + y.crossings) << crossings_at |
                                                      (x.at + point.chunk_width * y.at) << 2 * table_steps);
        }
        return table;
    }

    // The run's displacement. Keeps the run's words.
    __device__ static Transform piece(unsigned items, Kept& kept) {
        WindowDirections directions = kept.rest;
        unsigned first[WindowDirections::ready];
        directions.first_words(first);
#pragma unroll
        for (unsigned i = 0; i < WindowDirections::ready; ++i)
            kept.words[Kept::begin + i] = first[i];
        BitCounts counts;
        counts.count(BitCounts::packed(taken(first[0], 0, items)), 1);
        counts.add({first[1], first[2], first[3], first[4]}, steps_per_word, items);
        unsigned done = WindowDirections::ready * steps_per_word;
#pragma unroll 1
        for (unsigned i = Kept::begin + WindowDirections::ready; i < Kept::end && done < items; i += 4) {
            Four const four = {directions.next(), directions.next(), directions.next(), directions.next()};
            kept.words[i] = four.a;
            kept.words[i + 1] = four.b;
            kept.words[i + 2] = four.c;
            kept.words[i + 3] = four.d;
            counts.add(four, done, items);
            done += 4 * steps_per_word;
        }
        kept.rest = directions;
#pragma unroll 1
        for (; done < items; done += 4 * steps_per_word)
            counts.add({directions.next(), directions.next(), directions.next(), directions.next()}, done, items);
        return counts.displacement(items);
    }

    // The changes of chunk of a run that begins in `state`.
    __device__ static Sums finish(Table& table, Point const& point, State const& state, unsigned items, Kept& kept) {
        unsigned entry = (state.x % point.chunk_width + point.chunk_width * (state.y % point.chunk_height))
                         << 2 * table_steps;
        unsigned word = Kept::begin;
        unsigned const first = items < Kept::steps ? items : Kept::steps;
        unsigned crossings = follow_pairs(table, entry, first, [&] {
            unsigned const now = word;
            word = word + 1 < Kept::end ? word + 1 : word;
            return kept.words[now];
        });
        if (items > first)
            crossings += follow_pairs(table, entry, items - first, [&] { return kept.rest.next(); });
        return {crossings};
    }

private:
    struct Four {
        unsigned a, b, c, d;
    };

    // The word that follows `done` steps, without the steps after `items`: as steps east.
    __device__ static unsigned taken(unsigned word, unsigned done, unsigned items) {
        unsigned const left = items > done ? items - done : 0;
        return left >= steps_per_word ? word : word & ~(0xffffffu >> 2 * left);
    }

    // Counts steps with the bit `back`, and those in which it differs from `vertical`: four words by two carries each.
    struct BitCounts {
        static constexpr unsigned low = 0x55555555u, high = 0xaaaaaaaau;
        unsigned ones = 0, twos = 0;
        int back = 0, mixed = 0;

        __device__ static unsigned packed(unsigned word) { return word ^ (word << 1 & high); }
        __device__ void count(unsigned word, int weight) {
            back += weight * __popc(word & low);
            mixed += weight * __popc(word & high);
        }
        __device__ static unsigned carry(unsigned& sum, unsigned a, unsigned b) {
            unsigned const carried = (sum & a) | (sum & b) | (a & b);
            sum ^= a ^ b;
            return carried;
        }
        // The words that follow `done` steps.
        __device__ void add(Four const& of, unsigned done, unsigned items) {
            Four four = of;
            if (items < done + 4 * steps_per_word)
                four = {taken(of.a, done, items), taken(of.b, done + steps_per_word, items),
                        taken(of.c, done + 2 * steps_per_word, items), taken(of.d, done + 3 * steps_per_word, items)};
            unsigned const one = carry(ones, packed(four.a), packed(four.b));
            unsigned const other = carry(ones, packed(four.c), packed(four.d));
            count(carry(twos, one, other), 4);
        }
        __device__ Transform displacement(unsigned steps) {
            count(ones, 1);
            count(twos, 2);
            return {static_cast<int>(steps) - back - mixed, mixed - back};
        }
    };

    // Follows `items` steps from `entry`. next() is called a word ahead.
    template <class Next>
    __device__ static unsigned follow_pairs(Table& table, unsigned& entry, unsigned items, Next const& next) {
        constexpr unsigned top = 2 * (steps_per_word - table_steps);
        unsigned crossings = 0;
        unsigned word = next();
#pragma unroll 2
        for (unsigned left = items / steps_per_word; left > 0; --left) {
            unsigned const ahead = next();
#pragma unroll
            for (unsigned shift = 0; shift <= top; shift += 2 * table_steps) {
                entry = table.moves[(entry & square_bits) | (word >> (top - shift) & 63u)];
                crossings += entry >> crossings_at;
            }
            word = ahead;
        }
        unsigned rest = items % steps_per_word;
        for (; rest >= table_steps; rest -= table_steps, word <<= 2 * table_steps) {
            entry = table.moves[(entry & square_bits) | (word >> top & 63u)];
            crossings += entry >> crossings_at;
        }
        // A step, and then one east and one west, which cross an edge twice or not at all.
        for (; rest > 0; --rest, word <<= 2) {
            entry = table.moves[(entry & square_bits) | (word >> top & 48u) | 1u];
            crossings += entry >> crossings_at & 1u;
        }
        return crossings;
    }
};

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
