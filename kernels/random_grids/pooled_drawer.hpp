#pragma once
// The boards of a warp while the kernel `pooled` draws them: the dense pass of each lane, and the repair that the lanes
// share (reference_cpu/random_grids/pooled.hpp).

#include "harness/simt/warp.hpp"
#include "kernels/random_grids/pooled_build.hpp"
#include "kernels/random_grids/shared_at.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Hits that a lane has to make on a board. The board is where its first word is in `taken`; the number of hits is
// negative, because its sign bit says whether there are any.
struct PooledPart {
    unsigned board = 0;
    unsigned owed = 0;
};

// The sites that a random word names: where their words are (32 times the word's number) and numbers whose low five
// bits are their columns. `usable` is false if the word names none.
template <unsigned probes>
struct NamedSites {
    unsigned rows[probes];
    unsigned columns[probes];
    bool usable = true;
};

template <class Build, class Engine>
class PooledDrawer {
public:
    using Tile = PooledTile<Build>;

    __device__ PooledDrawer(Tile& tile, Engine const& engine, PooledParameters const& parameters)
        : tile_(tile),
          p_(parameters),
          engine_(engine),
          lane_(threadIdx.x % 32),
          base_(threadIdx.x / 32 * 32 * Build::words),
          first_(threadIdx.x / 32 * 32) {}

    // Takes each of the candidates with probability numerator / 2^digits. `inverted` becomes a mask: all ones if the
    // bits that are not taken are the ones drawn. Returns the number of sites that are missing.
    // `odd`: the numerators of all lanes are odd.
    __device__ unsigned pass(unsigned plane, unsigned digits, unsigned numerator, bool odd, unsigned wanted,
                             unsigned& inverted) {
        unsigned drawn[Build::words];
#pragma unroll
        for (unsigned i = 0; i < Build::words; ++i)
            drawn[i] = 0;
        if (odd && digits != 0) {  // the first digit is the words themselves
            draw_words(engine_, drawn);
        } else if (digits != 0) {
            add_digit(drawn, numerator);
        }
        for (unsigned digit = 1; digit < digits; ++digit)
            add_digit(drawn, numerator >> digit);
        if (Build::coloured && plane != 0)
            return put_pass(drawn, wanted, inverted, [&](unsigned i) { return kept(i); });
        return put_pass(drawn, wanted, inverted, [&](unsigned i) { return sites(i); });
    }

    // Takes the missing sites of all boards of the warp.
    __device__ void repair(unsigned missing) {
        do {
            PooledPart part{base_ | lane_, 0u - missing};
            tile_.twice[first_ + lane_] = 0;
            probe_alone(part);
            __syncwarp();
            while (give(part))
                probe_together(part, p_.quorum);
            probe_together(part, 0);
            __syncwarp();
            missing = tile_.twice[first_ + lane_];
        } while (__any_sync(full_warp, missing != 0 ? 1 : 0) != 0);
    }

    // Word i of this lane's board, as drawn.
    __device__ unsigned drawn(unsigned i, unsigned inverted) { return flipped(taken(i), inverted); }

    // The same, but if the build is coloured, as kept. Bits that are not sites carry no meaning.
    __device__ unsigned set_word(unsigned i, unsigned inverted) {
        return Build::coloured ? kept(i) : drawn(i, inverted);
    }

    // Transposes the boards of all lanes, as drawn, for row_word(). Boards of whole words only.
    __device__ void transpose(unsigned inverted) {
        static_assert(Build::whole && Build::words == 32);
        unsigned words[Build::words];
#pragma unroll
        for (unsigned i = 0; i < Build::words; ++i)
            words[i] = drawn(i, inverted);
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < Build::words; ++i)
            tile_.taken[(base_ | (lane_ ^ i)) + i * 32] = words[i];
        __syncwarp();
    }

    // Word `lane` of the board of lane `board`. transpose() places the words so that the 32 words of one board are in
    // different banks, and so are the words i of all boards.
    __device__ unsigned row_word(unsigned board) { return tile_.taken[(base_ | (lane_ ^ board)) + lane_ * 32]; }

    // Keeps what was drawn as the candidates of the next plane.
    __device__ void keep(unsigned plane, unsigned inverted) {
        if (plane == 0)
            keep_among(inverted, [&](unsigned i) { return sites(i); });
        else
            keep_among(inverted, [&](unsigned i) { return kept(i); });
    }

private:
    // word ^ mask for a mask of equal bits: if all are ones, it is -word - 1.
    __device__ static unsigned flipped(unsigned word, unsigned mask) {
        if constexpr (Build::whole)
            return word * (mask | 1u) + mask;
        return word ^ mask;
    }

    static constexpr unsigned probes = Build::probes;
    static constexpr unsigned words_per_step = draws_fours<Engine> ? 4 : 2;
    // Words of several steps, after which XORWOW's registers have rotated back to their places.
    static constexpr unsigned words_at_once = draws_fours<Engine> ? 4 : 10;
    using Sites = NamedSites<probes>;

    // One more digit of the density, its bit in the lowest bit of `digit`.
    __device__ void add_digit(unsigned (&drawn)[Build::words], unsigned digit) {
        unsigned const one = 0u - (digit & 1u);
#pragma unroll
        for (unsigned i = 0; i < Build::words; i += 4) {
            unsigned words[4];
            draw_words(engine_, words);
#pragma unroll
            for (unsigned j = 0; j < 4; ++j)
                drawn[i + j] = (words[j] & drawn[i + j]) | ((words[j] | drawn[i + j]) & one);
        }
    }

    // Ends a pass: stores what is taken and returns the number of sites that are missing. candidates(i) returns those
    // of word i.
    template <class Candidates>
    __device__ unsigned put_pass(unsigned (&drawn)[Build::words], unsigned wanted, unsigned& inverted,
                                 Candidates const& candidates) {
        unsigned count = 0;
#pragma unroll
        for (unsigned i = 0; i < Build::words; ++i) {
            if constexpr (!Build::whole)
                drawn[i] &= candidates(i);
            count += static_cast<unsigned>(__popc(drawn[i]));
        }
        inverted = count > wanted ? 0xFFFFFFFFu : 0;
#pragma unroll
        for (unsigned i = 0; i < Build::words; ++i) {
            unsigned const others = Build::coloured ? ~candidates(i) : 0;
            tile_.taken[(base_ | lane_) + i * 32] = flipped(drawn[i], inverted) | others;
        }
        return count > wanted ? count - wanted : wanted - count;
    }

    template <class Candidates>
    __device__ void keep_among(unsigned inverted, Candidates const& candidates) {
#pragma unroll 8
        for (unsigned i = 0; i < Build::words; ++i)
            tile_.sets[base_ + i * 32 + lane_] = drawn(i, inverted) & candidates(i);
    }

    __device__ unsigned taken(unsigned i) { return tile_.taken[(base_ | lane_) + i * 32]; }
    __device__ unsigned kept(unsigned i) { return tile_.sets[base_ + i * 32 + lane_]; }
    __device__ unsigned sites(unsigned i) const { return i + 1 <= Build::full_words ? 0xFFFFFFFFu : p_.sites[i]; }

    // Whether more lanes than the quorum have hits to make.
    __device__ static bool goes_on(PooledPart const& part, unsigned quorum) {
        return static_cast<unsigned>(__popc(__ballot_sync(full_warp, part.owed != 0 ? 1 : 0))) > quorum;
    }

    __device__ Sites named_sites(unsigned word) const {
        Sites sites;
        if constexpr (Build::site_bits != 0) {
#pragma unroll
            for (unsigned i = 0; i < probes; ++i) {
                sites.columns[i] = word >> (32 - (i + 1) * Build::site_bits);
                sites.rows[i] = sites.columns[i] & (Build::words - 1) * 32;
            }
        } else {
            unsigned const all = p_.grid.width * p_.grid.height;
#pragma unroll
            for (unsigned i = 0; i < probes; ++i) {
                unsigned long long const product = static_cast<unsigned long long>(word) * all;
                sites.columns[i] = static_cast<unsigned>(product >> 32);
                sites.rows[i] = sites.columns[i] & ~31u;
                word = static_cast<unsigned>(product);
            }
            sites.usable = word >= p_.rejected;
        }
        return sites;
    }

    // The word's bit for a site, or 0 if no hits are left to make (`owed` is minus their number).
    __device__ static unsigned bit_of(bool usable, unsigned owed, unsigned column) {
        unsigned const one = usable ? owed >> 31 : 0;
        return __funnelshift_l(one, one, column);
    }

    // Names the sites of `count` words, each with a call of use(sites).
    template <unsigned count, class Use>
    __device__ void for_words(Use const& use) {
        unsigned words[count];
        draw_words(engine_, words);
#pragma unroll
        for (unsigned i = 0; i < count; ++i)
            use(named_sites(words[i]));
    }

    // The word with a site of a board. The factor four is not a constant, so that the address is a multiplication: the
    // pipe of additions and shifts is the busier one.
    __device__ auto word_of(unsigned board, unsigned row) {
        constexpr bool disjoint_bits =
            (Build::words & (Build::words - 1)) == 0;  // of the boards' and the rows' numbers
        return address_in(tile_.taken, (disjoint_bits ? board | row : board + row) * p_.word_bytes);
    }

    // Every lane probes its own board. No branch depends on a lane: one that has made its hits sets no bit.
    __device__ void probe_alone(PooledPart& part) {
        auto const probe = [&](Sites const& sites, unsigned i, unsigned bit) {
            unsigned const taken = atomicOr(word_of(part.board, sites.rows[i]), bit);
            unsigned const less = part.owed * p_.one + p_.one;
            if ((bit & ~taken) != 0)
                part.owed = less;
        };
        // While no lane can make all its hits with the next words.
        while (__all_sync(full_warp, 0u - part.owed >= words_at_once * probes ? 1 : 0) != 0) {
            for_words<words_at_once>([&](Sites const& sites) {
#pragma unroll
                for (unsigned i = 0; i < probes; ++i)
                    probe(sites, i, bit_of(sites.usable, ~0u, sites.columns[i]));
            });
        }
        while (goes_on(part, p_.quorum)) {
            for_words<words_per_step>([&](Sites const& sites) {
#pragma unroll
                for (unsigned i = 0; i < probes; ++i)
                    probe(sites, i, bit_of(sites.usable, part.owed, sites.columns[i]));
            });
        }
    }

    // Several lanes may probe one board: all read before one writes, so that the result does not depend on their order.
    __device__ void probe_together(PooledPart& part, unsigned quorum) {
        while (goes_on(part, quorum))
            for_words<words_per_step>([&](Sites const& sites) { step_together(sites, part); });
    }

    __device__ void step_together(Sites const& sites, PooledPart& part) {
        unsigned bits[probes];
#pragma unroll
        for (unsigned i = 0; i < probes; ++i) {
            unsigned const bit = bit_of(sites.usable, part.owed, sites.columns[i]);
            bits[i] = bit & ~*word_of(part.board, sites.rows[i]);
            unsigned const less = part.owed * p_.one + p_.one;
            if (bits[i] != 0)
                part.owed = less;
        }
        __syncwarp();
        unsigned any_twice = 0;
#pragma unroll
        for (unsigned i = 0; i < probes; ++i) {
            bits[i] &= atomicOr(word_of(part.board, sites.rows[i]), bits[i]);
            any_twice |= bits[i];
        }
        if (any_twice != 0) {
#pragma unroll
            for (unsigned i = 0; i < probes; ++i) {
                if (bits[i] != 0)
                    atomicAdd(&tile_.twice[first_ + part.board % 32], 1u);
            }
        }
        __syncwarp();
    }

    // Lanes with two or more hits to make give half of them to lanes that have none. Returns false if there are none to
    // give.
    __device__ bool give(PooledPart& part) {
        unsigned const half = (0u - part.owed) / 2;
        unsigned const givers = __ballot_sync(full_warp, half != 0 ? 1 : 0);
        if (givers == 0)
            return false;
        unsigned const receivers = __ballot_sync(full_warp, part.owed == 0 ? 1 : 0);
        if (half != 0) {
            tile_.given[first_ + rank_in(givers, lane_)] = part.board << 16 | half;
            part.owed += half;
        }
        __syncwarp();
        unsigned const rank = rank_in(receivers, lane_);
        if ((receivers >> lane_ & 1u) != 0 && rank < static_cast<unsigned>(__popc(givers))) {
            unsigned const given = tile_.given[first_ + rank];
            part = {given >> 16, 0u - (given & 0xFFFFu)};
        }
        __syncwarp();
        return true;
    }

    Tile& tile_;
    PooledParameters const& p_;
    Engine engine_;
    unsigned lane_;
    unsigned base_;   // of the warp's boards in `taken`
    unsigned first_;  // the warp's first lane in its block
};

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
