#pragma once
// One dense pass per board and one exact repair of 32 boards by the 32 lanes of a warp
// (reference_cpu/random_grids/pooled.hpp defines the algorithm and says why it is exact).
//
// Lane l draws the board of stream l of its group into registers and keeps it in shared memory, in bank l, as "taken":
// the bits that a probe must skip. If the pass takes too many sites, "taken" means *not* drawn, so that the same code
// removes sites. Sites are packed while they are drawn and spread to rows when they are stored.
//
// What diverges: nothing. All lanes draw the same number of words and make the same number of probes; a lane that has
// made its hits sets no bits. At first a lane probes its own bank; later, lanes that share a board share its bank.
// Operations per 32 boards of 32 x 32 with 512 sites: 32 x 13 for the pass and the results, 8 words of 40 and 6 of 60
// for the repair, and 3 times 30 to give hits. Bytes: 4 per word if stored, 4 per stream if folded. Precondition: whole
// warps; group g of a launch has the streams of units 32 g to 32 g + 31.

#include <type_traits>

#include "common/random_grids/parameters.hpp"
#include "harness/simt/warp.hpp"
#include "kernels/random_grids/multiplied_xorwow.hpp"
#include "kernels/random_grids/packed_set_rows.hpp"
#include "kernels/random_grids/shared_at.hpp"

namespace lockstep::random_grids {

struct PooledParameters {
    GridParameters grid;
    unsigned rejected = 0;  // words whose last fraction is below this limit name no sites
    unsigned quorum = 0;
    unsigned digits[8] = {};  // one per plane
    unsigned numerators[8] = {};
    unsigned const* mixed_numerators = nullptr;  // one per number of sites from 0 to half of all
    unsigned sites[72] = {};                     // bits of each word that are sites; words past the board have none
    // Constants that are passed at run time: if the compiler knew them, it would replace multiplications by shifts and
    // additions, which run on the busiest pipe.
    unsigned word_bytes = sizeof(unsigned);
    unsigned one = 1;
    unsigned weyl_step = 362437;  // of XORWOW
};

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// `words`: of a board. `site_bits`: if not 0, the board has 2^site_bits sites and rows of whole words. `coloured`: it
// has further planes, drawn among the sites of the previous one. `full_words`: words that every board of the build
// fills with sites. `width`: of its rows, 0 if any.
template <unsigned words_, unsigned site_bits_, bool coloured_, unsigned full_words_, unsigned width_ = 0>
struct PooledBuildOf {
    static constexpr unsigned width = width_;
    static constexpr unsigned words = words_;
    static constexpr unsigned site_bits = site_bits_;
    static constexpr bool coloured = coloured_;
    static constexpr unsigned full_words = full_words_;
    static constexpr bool whole = site_bits != 0;
    static_assert(!whole || full_words == words);
    static constexpr unsigned threads = words <= 36 ? 128 : 32;  // per block
    static constexpr unsigned warps = threads / 32;
    static constexpr unsigned probes = words <= 32 ? 3 : 2;  // per random word
};

template <class Build>
struct PooledTile {
    SharedArray<unsigned, Build::threads * Build::words> taken;
    SharedArray<unsigned, (Build::coloured ? Build::threads * Build::words : 1)> sets;
    SharedArray<unsigned, Build::threads> given;  // board and number of hits
    SharedArray<unsigned, Build::threads> twice;  // sites of each board that were taken twice
};

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

// Whether an engine makes four words at once.
template <class Engine>
inline constexpr bool draws_fours = requires(Engine engine) {
    engine.next4();
};

// Blocks that shall fit a multiprocessor. The compiler gives a thread as many registers as this allows.
template <class Build, class Engine>
inline constexpr unsigned pooled_blocks = Build::threads == 32  ? 1
                                          : Build::words <= 20  ? 10
                                          : Build::coloured     ? 5
                                          : draws_fours<Engine> ? 8
                                          : Build::whole        ? 9
                                                                : 8;

// The engine of a stream. Only 32 x 32 gains by additions that are multiplications.
template <class Build, class Engine>
__device__ inline auto pooled_engine(PooledParameters const& p, unsigned long long unit) {
    if constexpr (Build::whole && std::is_same_v<Engine, random::LOCKSTEP_MACHINE::Xorwow>)
        return MultipliedXorwow(p.grid.seed, unit, p.weyl_step, p.one);
    else
        return Engine::stream(p.grid.seed, unit, 0);
}

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

// Stores or folds the words of a set.
template <class Build, bool stored, class Engine>
__device__ inline void put_set(PooledDrawer<Build, Engine>& drawer, GridParameters const& p, unsigned inverted,
                               bool wanted, unsigned* target, unsigned& sum) {
    auto const put = [&](unsigned word) {
        if (stored && wanted)
            *target = word;
        if (stored)
            target += 32;
        else
            sum = fold(sum, word);
    };
    auto const set = [&](unsigned i) { return drawer.set_word(i, inverted); };
    if constexpr (Build::whole) {
#pragma unroll 32
        for (unsigned i = 0; i < Build::words; ++i)
            put(set(i));
    } else if constexpr (Build::width != 0) {
        put_fixed_rows<Build>(p, set, put);
    } else if (p.words_per_row == 1) {
        put_short_rows<Build>(p, set, put);
    } else if (p.words_per_row == 2) {
        put_double_rows(p, set, put);
    } else {
        put_long_rows<Build>(p, set, put);
    }
}

// Stores the boards of the warp's lanes in rows: lane l writes word l of each. `row`: this lane's word of the board of
// lane 0; `step`: words from one lane's board to the next. A bit of `wanted` says whether a lane's board is stored.
template <class Build, class Engine>
__device__ inline void put_rows(PooledDrawer<Build, Engine>& drawer, unsigned inverted, unsigned* row,
                                unsigned long long step, unsigned wanted) {
    drawer.transpose(inverted);
    if (wanted == full_warp) {
#pragma unroll
        for (unsigned board = 0; board < 32; ++board, row += step)
            *row = drawer.row_word(board);
        return;
    }
#pragma unroll 1
    for (unsigned board = 0; board < 32; ++board, row += step) {
        if ((wanted >> board & 1u) != 0)
            *row = drawer.row_word(board);
    }
}

// `packed`: stored with the sets of each stream one after the other, instead of 32 streams interleaved. The first unit
// is a multiple of 32.
template <class Build, class Engine, bool stored, bool packed = false>
__global__ void __launch_bounds__(Build::threads, (pooled_blocks<Build, Engine>))
    pooled(__grid_constant__ PooledParameters const parameters, unsigned* const results) {
    GridParameters const& p = parameters.grid;
    auto& tile = shared_memory<PooledTile<Build>>();
    // Streams before the first and past the last one are drawn with the others of their group, but not stored.
    unsigned long long const group = global_thread() / 32 * 32;
    unsigned const before = static_cast<unsigned>(p.first_unit % 32);
    if (group >= p.streams + before)
        return;
    bool const wanted_stream = global_thread() >= before && global_thread() - before < p.streams;
    unsigned long long const stream = wanted_stream ? global_thread() - before : 0;
    unsigned long long const unit = p.first_unit - before + global_thread();
    auto const engine = pooled_engine<Build, Engine>(parameters, unit);
    PooledDrawer<Build, std::remove_const_t<decltype(engine)>> drawer(tile, engine, parameters);
    Occupied const occupied_sites(p, unit);
    unsigned const words_per_set = Build::whole ? Build::words : p.height * p.words_per_row;
    unsigned* target = results + stream / 32 * 32 * words_of_stream(p, true) + stream % 32;
    unsigned const wanted_streams = packed ? __ballot_sync(full_warp, wanted_stream ? 1 : 0) : 0;
    if (packed)
        target = results + group * words_of_stream(p, true) + threadIdx.x % 32;
    unsigned sum = 0;

    for (unsigned board = 0; board < p.length; ++board) {
        unsigned among = p.width * p.height;
        for (unsigned plane = 0; plane < (Build::coloured ? p.planes : 1); ++plane) {
            unsigned const occupied = occupied_sites(p, board, plane);
            bool const complement = occupied > among - occupied;
            unsigned const wanted = complement ? among - occupied : occupied;
            unsigned const numerator =
                p.mixed != 0 ? parameters.mixed_numerators[wanted] : parameters.numerators[plane];
            unsigned inverted = 0;
            bool const odd = p.mixed == 0 && parameters.numerators[plane] % 2 == 1;
            drawer.repair(drawer.pass(plane, parameters.digits[plane], numerator, odd, wanted, inverted));
            inverted ^= complement ? 0xFFFFFFFFu : 0;
            if constexpr (Build::coloured)
                drawer.keep(plane, inverted);
            if constexpr (packed) {
                put_rows(drawer, inverted, target, words_of_stream(p, true), wanted_streams);
                target += words_per_set;
            } else {
                put_set<Build, stored>(drawer, p, inverted, wanted_stream, target, sum);
                target += words_per_set * 32;
            }
            among = p.occupied[plane];
        }
        __syncwarp();
    }
    if (!stored && wanted_stream)
        results[stream] = sum;
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
