#pragma once
// One dense pass and an exact repair; a team of lanes per stream, boards in shared memory
// (reference_cpu/random_grids/dense.hpp defines the algorithm and says why it is exact).
//
// Each lane keeps its words in its own bank of shared memory, so accesses in lockstep have no bank conflicts; probes
// hit any bank. A word is stored as "taken": the bits that a probe must skip, which include all bits that are not
// candidates. If the dense pass takes too many sites, "taken" means *not* drawn, so that the same code removes sites.
//
// What diverges: the number of probes, unless a warp is one team. Two boards per team in flight halve the spread of
// that number. Operations per 32x32 board with 512 sites: 32 x 9 for the pass, and 26 probes of about 13. Bytes: 4 per
// word if stored, 4 per lane and stream if folded.

#include "common/random_grids/after.hpp"
#include "common/random_grids/dense_packed.hpp"
#include "common/random_grids/parameters.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::random_grids {

struct DenseParameters {
    GridParameters grid;
    unsigned plans[8] = {};                 // one per plane, packed (dense_packed.hpp)
    unsigned const* mixed_plans = nullptr;  // one per number of sites from 0 to half of all
};

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// `words`: words per lane, a power of two; `boards`: 1 or 2 in flight. `whole`: all bits of all words are sites, and
// there is one plane. `throws`: at least one plan throws; a thread that throws makes no dense pass. Kernels that throw
// are separate builds, because the code for throws slows the others down.
template <unsigned lanes_, unsigned words_, unsigned column_bits_, unsigned boards_, unsigned threads_, bool whole_,
          bool throws_>
struct DenseTeamOf {
    static constexpr unsigned lanes = lanes_;
    static constexpr unsigned words = words_;
    static constexpr unsigned column_bits = column_bits_;
    static constexpr unsigned boards = boards_;
    static constexpr unsigned threads = threads_;
    static constexpr bool whole = whole_;
    static constexpr bool throws = throws_;
    __host__ __device__ static constexpr unsigned log2(unsigned value) { return value < 2 ? 0 : 1 + log2(value / 2); }
    static constexpr unsigned field_bits = log2(words * lanes) + column_bits;
    static constexpr unsigned probes = 32 / field_bits < 4 ? 32 / field_bits : 4;
    // A ball of a thread has its column in bits 0 to 4 and its row from bit 7 on, so the row's bits are its offset in
    // bytes (128 per row).
    static constexpr unsigned ball_word_bit = lanes == 1 && column_bits == 5 ? 7 : column_bits;
    static constexpr unsigned ball_bits = log2(words * lanes) + ball_word_bit <= 16 ? 16 : 32;
    static constexpr unsigned balls = 32 / ball_bits;  // per word
    static constexpr unsigned words_thrown =
        lanes == 1 ? 5 : 2;  // per round (XORWOW's registers rotate back after five)
};

template <class Team>
struct DenseTile {
    SharedArray<unsigned, Team::threads * Team::words * Team::boards> taken;
};

// Target of a probe, from the low field_bits of `field`: the word's offset from the team's first word, and the bit.
template <class Team, unsigned word_bit = Team::column_bits>
__device__ inline unsigned probed_word(unsigned field) {
    unsigned const word = field >> word_bit;
    unsigned const step = word & (Team::words - 1);
    unsigned const lane = word >> Team::log2(Team::words) & (Team::lanes - 1);
    return step * 32 + lane;
}

template <class Team>
__device__ inline unsigned probed_bit(unsigned field) {
    if constexpr (Team::column_bits == 5)
        return __funnelshift_l(1u, 1u, field);
    return 1u << (field & ((1u << Team::column_bits) - 1));
}

template <class Team, class Engine>
class DenseDrawer {
public:
    using Tile = DenseTile<Team>;
    static constexpr unsigned stride = Team::words * 32;  // from one board in flight to the next

    __device__ DenseDrawer(Tile& tile, Engine const& engine)
        : tile_(tile),
          engine_(engine),
          lane_(threadIdx.x % Team::lanes),
          base_(threadIdx.x / 32 * stride * Team::boards + threadIdx.x % 32 / Team::lanes * Team::lanes) {}

    // Dense pass of board `board`: takes each of the `among` candidates with the plan's density, stores the result in
    // shared memory, then throws balls if the plan says so. Returns the number of sites still missing. `inverted`
    // becomes a mask: all ones if the bits that are not taken are the ones drawn.
    __device__ unsigned pass(unsigned board, unsigned const (&candidates)[Team::words], unsigned among, unsigned wanted,
                             unsigned plan, unsigned& inverted) {
        if constexpr (!Team::throws) {
            return draw_pass(board, candidates, among, wanted, plan, inverted);
        } else if constexpr (Team::lanes == 1) {
            inverted = 0;
            return start_empty(board, candidates, among, wanted, plan);
        } else {
            return (plan & (dense_throws | 0x7F)) == dense_throws
                       ? start_empty(board, candidates, among, wanted, plan)
                       : draw_pass(board, candidates, among, wanted, plan, inverted);
        }
    }

    // Takes the sites that each board is missing, at random.
    __device__ void repair(unsigned const (&missing)[Team::boards]) {
        if constexpr (Team::lanes == 1) {
            repair_alone(missing);
        } else {
            repair_together(missing[0]);
        }
    }

    // Returns word i of this lane.
    __device__ unsigned drawn(unsigned board, unsigned i, unsigned candidates, unsigned inverted) {
        unsigned const taken = tile_.taken[base_ + board * stride + lane_ + i * 32];
        return Team::whole ? taken ^ inverted : (taken ^ inverted) & candidates;
    }

private:
    static constexpr unsigned positions = Team::lanes * Team::words << Team::column_bits;

    // Starts with no site taken, then throws balls if the plan says so.
    __device__ unsigned start_empty(unsigned board, unsigned const (&candidates)[Team::words], unsigned among,
                                    unsigned wanted, unsigned plan) {
        unsigned const first = base_ + board * stride + lane_;
#pragma unroll 32
        for (unsigned i = 0; i < Team::words; ++i)
            tile_.taken[first + i * 32] = Team::whole ? 0 : ~candidates[i];
        if ((plan & dense_throws) == 0)
            return wanted;
        return throw_balls(base_ + board * stride, wanted, positions - among + wanted);
    }

    __device__ unsigned draw_pass(unsigned board, unsigned const (&candidates)[Team::words], unsigned among,
                                  unsigned wanted, unsigned plan, unsigned& inverted) {
        unsigned const first = base_ + board * stride + lane_;
        unsigned drawn[Team::words];
#pragma unroll
        for (unsigned i = 0; i < Team::words; ++i)
            drawn[i] = 0;
        unsigned numerator = plan >> 8;
        for (unsigned digit = 0; digit < (plan & 0x7F); ++digit, numerator >>= 1) {
            unsigned const one = 0u - (numerator & 1u);
#pragma unroll
            for (unsigned i = 0; i < Team::words; ++i) {
                unsigned const word = engine_();
                drawn[i] = (word & drawn[i]) | ((word | drawn[i]) & one);
            }
        }
        unsigned count = 0;
#pragma unroll
        for (unsigned i = 0; i < Team::words; ++i) {
            if (!Team::whole)
                drawn[i] &= candidates[i];
            count += static_cast<unsigned>(__popc(drawn[i]));
        }
        count = team_sum<Team::lanes>(count);
        inverted = count > wanted ? 0xFFFFFFFFu : 0;
#pragma unroll
        for (unsigned i = 0; i < Team::words; ++i) {
            unsigned const taken = drawn[i] ^ inverted;
            tile_.taken[first + i * 32] = Team::whole ? taken : taken | ~candidates[i];
        }
        unsigned const missing = count > wanted ? count - wanted : wanted - count;
        if constexpr (Team::throws) {
            if ((plan & dense_throws) != 0)
                return throw_balls(base_ + board * stride, missing,
                                   positions - among + (count > wanted ? among - wanted : wanted));
        }
        return missing;
    }

    // Takes sites at random without testing them first, in whole rounds, never more than are missing. In the end
    // `target` bits of the board's words must be taken; returns the number that is still missing.
    __device__ unsigned throw_balls(unsigned board, unsigned missing, unsigned target) {
        if (Team::lanes > 1)
            __syncwarp();
        constexpr unsigned balls = Team::words_thrown * Team::balls * Team::lanes;
        for (; missing >= balls; missing -= balls) {
#pragma unroll
            for (unsigned word = 0; word < Team::words_thrown; ++word) {
                unsigned const field = engine_();
#pragma unroll
                for (unsigned i = 0; i < Team::balls; ++i) {
                    unsigned const ball = field >> (i * Team::ball_bits % 32);
                    // The result is unused, so no lane waits for the atomic.
                    atomicOr(&tile_.taken[board | probed_word<Team, Team::ball_word_bit>(ball)],
                             probed_bit<Team>(ball));
                }
            }
        }
        if (Team::lanes > 1)
            __syncwarp();
        unsigned count = 0;
#pragma unroll 32
        for (unsigned i = 0; i < Team::words; ++i)
            count += static_cast<unsigned>(__popc(tile_.taken[board + lane_ + i * 32]));
        return target - team_sum<Team::lanes>(count);
    }

    static constexpr unsigned warp = 0xFFFFFFFFu;
    static constexpr unsigned team = Team::lanes == 32 ? warp : (1u << Team::lanes % 32) - 1;

    // Probes once; the caller guarantees that at least one site is still missing. Returns true if the probe took a
    // site.
    __device__ bool probe(unsigned board, unsigned field) {
        unsigned const at = board | probed_word<Team>(field);
        unsigned const bit = probed_bit<Team>(field);
        unsigned const taken = tile_.taken[at];
        tile_.taken[at] = taken | bit;
        return (taken & bit) == 0;
    }

    // One thread per board: it continues with its next board while other lanes are still at their first.
    __device__ void repair_alone(unsigned const (&missing)[Team::boards]) {
        unsigned board = base_;
        unsigned left = missing[0];
        unsigned next = Team::boards > 1 ? missing[Team::boards - 1] : 0;
        if (Team::boards > 1 && left == 0) {
            left = next;
            next = 0;
            board += stride;
        }
        if (Team::boards == 1 && !Team::throws) {
            constexpr unsigned words = 5;  // XORWOW's registers rotate back to their places after five
            while (left >= words * Team::probes) {
#pragma unroll
                for (unsigned word = 0; word < words; ++word) {
                    unsigned const field = engine_();
#pragma unroll
                    for (unsigned i = 0; i < Team::probes; ++i) {
                        if (probe(board, field >> (i * Team::field_bits)))
                            --left;
                    }
                }
            }
        }
        while (left != 0) {
            unsigned const field = engine_();
#pragma unroll
            for (unsigned i = 0; i < Team::probes; ++i) {
                unsigned const at = board | probed_word<Team>(field >> (i * Team::field_bits));
                unsigned const bit = probed_bit<Team>(field >> (i * Team::field_bits));
                unsigned const taken = tile_.taken[at];
                if ((taken & bit) == 0 && left != 0) {
                    tile_.taken[at] = taken | bit;
                    --left;
                }
            }
            if (Team::boards > 1 && left == 0) {
                left = next;
                next = 0;
                board += stride;
            }
        }
    }

    // Lanes of a team probe together. If more lanes hit than sites are missing, the first ones take their sites; two
    // lanes may hit the same site. All lanes of the warp stay in lockstep, even if their team is done.
    __device__ void repair_together(unsigned left) {
        __syncwarp();
        constexpr unsigned words = 2;
        while (__all_sync(warp, left >= words * Team::lanes * Team::probes ? 1 : 0) != 0) {
            unsigned found = 0;
#pragma unroll
            for (unsigned word = 0; word < words; ++word) {
                unsigned const field = engine_();
#pragma unroll
                for (unsigned i = 0; i < Team::probes; ++i) {
                    unsigned const bit = probed_bit<Team>(field >> (i * Team::field_bits));
                    unsigned const taken =
                        atomicOr(&tile_.taken[base_ | probed_word<Team>(field >> (i * Team::field_bits))], bit);
                    found += (taken & bit) == 0 ? 1 : 0;
                }
            }
            left -= team_sum<Team::lanes>(found);
            __syncwarp();
        }
        unsigned const shift = threadIdx.x % 32 / Team::lanes * Team::lanes;
        while (__any_sync(warp, left != 0 ? 1 : 0) != 0) {
            unsigned field = 0;
            if (left != 0)
                field = engine_();
#pragma unroll
            for (unsigned i = 0; i < Team::probes; ++i, field >>= Team::field_bits % 32) {
                unsigned const at = base_ | probed_word<Team>(field);
                unsigned const bit = probed_bit<Team>(field);
                unsigned const taken = tile_.taken[at];
                bool const hit = left != 0 && (taken & bit) == 0;
                unsigned const hits = __ballot_sync(warp, hit ? 1 : 0) >> shift & team;
                __syncwarp();  // every lane has read before one writes; a vote alone orders no memory
                bool twice = false;
                if (hit && rank_in(hits, lane_) < left) {
                    twice = (atomicOr(&tile_.taken[at], bit) & bit) != 0;
                }
                unsigned const count = static_cast<unsigned>(__popc(hits));
                left -= count < left ? count : left;
                if (__any_sync(warp, twice ? 1 : 0) != 0) {
                    left += static_cast<unsigned>(__popc(__ballot_sync(warp, twice ? 1 : 0) >> shift & team));
                }
                __syncwarp();
            }
        }
    }

    Tile& tile_;
    Engine engine_;
    unsigned lane_;
    unsigned base_;
};

// `Work` is done on each board after its draw, by teams of one thread.
template <class Team, class Engine, bool stored, class Work = NoWork>
__global__ void __launch_bounds__(Team::threads)
    dense(__grid_constant__ DenseParameters const parameters, unsigned* const results) {
    GridParameters const& p = parameters.grid;
    auto& tile = shared_memory<DenseTile<Team>>();
    unsigned long long const stream = global_thread() / Team::lanes;
    // Teams run in lockstep with the others of their warp, so a team past the last stream draws too; it stores nothing.
    constexpr unsigned interleave = 32 / Team::lanes;
    bool const wanted_stream = stream < p.streams;
    if (Team::lanes == 1 ? !wanted_stream : stream / interleave * interleave >= p.streams)
        return;
    unsigned const lane = threadIdx.x % Team::lanes;
    unsigned long long const unit = p.first_unit + stream;
    DenseDrawer<Team, Engine> drawer(tile, Engine::stream(p.seed, unit, lane));
    Occupied const occupied_sites(p, unit);
    unsigned const board_words = p.height * p.words_per_row;
    // Streams are interleaved, so that a warp stores whole cache lines: word w of a team's stream is w = step * lanes +
    // lane.
    unsigned* target =
        results + stream / interleave * interleave * words_of_stream(p, true) + lane * interleave + stream % interleave;
    unsigned const board_stride = (Team::whole ? Team::words * Team::lanes : board_words) * interleave;
    unsigned sum = 0;

    for (unsigned first = 0; first < p.length; first += Team::boards) {
        constexpr unsigned kept = Team::whole ? 1 : Team::boards;
        unsigned candidates[kept][Team::words];
#pragma unroll
        for (unsigned i = 0; i < Team::words; ++i) {
            unsigned const word = i * Team::lanes + lane;
            bool const last = (word + 1) % p.words_per_row == 0;
#pragma unroll
            for (unsigned board = 0; board < kept; ++board) {
                candidates[board][i] = Team::whole           ? 0xFFFFFFFFu
                                       : word >= board_words ? 0
                                       : last                ? p.last_mask
                                                             : 0xFFFFFFFFu;
            }
        }
        unsigned among = p.width * p.height;
        unsigned const planes = Team::whole ? 1 : p.planes;
        for (unsigned plane = 0; plane < planes; ++plane) {
            unsigned missing[Team::boards];
            unsigned inverted[Team::boards];
#pragma unroll
            for (unsigned board = 0; board < Team::boards; ++board) {
                missing[board] = 0;
                inverted[board] = 0;
                if (first + board >= p.length)
                    continue;
                unsigned const occupied = occupied_sites(p, first + board, plane);
                bool const inverts = occupied > among - occupied;
                unsigned const wanted = inverts ? among - occupied : occupied;
                unsigned const plan = p.mixed != 0 ? parameters.mixed_plans[wanted] : parameters.plans[plane];
                missing[board] = drawer.pass(board, candidates[board % kept], among, wanted, plan, inverted[board]);
                inverted[board] ^= inverts ? 0xFFFFFFFFu : 0;
            }
            among = p.occupied[plane];
            drawer.repair(missing);
#pragma unroll
            for (unsigned board = 0; board < Team::boards; ++board) {
                if (first + board >= p.length)
                    continue;
                unsigned* const at = target + (board * planes + plane) * board_stride;
                if constexpr (!Work::is_none) {
                    static_assert(Team::whole && Team::lanes == 1);
                    unsigned words[Team::words];
#pragma unroll
                    for (unsigned i = 0; i < Team::words; ++i)
                        words[i] = drawer.drawn(board, i, 0xFFFFFFFFu, inverted[board]);
                    Work::in_thread(words, 0xFFFFFFFFu);
#pragma unroll
                    for (unsigned i = 0; i < Team::words; ++i) {
                        if (stored)
                            at[i * 32] = words[i];
                        else
                            sum = fold(sum, words[i]);
                    }
                } else {
#pragma unroll 128
                    for (unsigned i = 0; i < Team::words; ++i) {
                        unsigned const word = drawer.drawn(board, i, candidates[board % kept][i], inverted[board]);
                        if (!Team::whole)
                            candidates[board % kept][i] = word;
                        if (!Team::whole && i * Team::lanes + lane >= board_words)
                            continue;
                        if (stored && wanted_stream)
                            at[i * 32] = word;
                        if (!stored)
                            sum = fold(sum, word);
                    }
                }
            }
        }
        target += Team::boards * planes * board_stride;
    }
    if (!stored && wanted_stream)
        results[stream / interleave * 32 + lane * interleave + stream % interleave] = sum;
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
