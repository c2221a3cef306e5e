#pragma once
// One dense pass and an exact repair, a team of lanes a stream, boards in shared memory (reference_cpu/random_grids/dense.hpp has the algorithm
// and why it is exact).
//
// Words lie in shared memory as lanes hold them, one bank a lane, so what a warp does in step has no bank conflicts; probes hit any
// bank. A word is stored as "taken": bits that a probe must not find, among them all that are no candidates. Where the dense pass
// took too many, taken means *not* drawn, so that removing is adding too.
//
// What diverges: the number of probes, unless a warp is one team. Two boards a team in flight halve the spread. Operations a 32x32 board of 512
// sites: 32 x 9 for the pass, 26 probes of about 13. Bytes: 4 a word where stored, 4 a lane and stream where folded.

#include "kernels/random_grids/parameters.hpp"

namespace lockstep::random_grids {

struct DenseParameters {
    GridParameters grid;
    unsigned plans[8] = {};                 // one a plane: numerator << 8 | digits (dense_plan.hpp)
    unsigned const* mixed_plans = nullptr;  // one for each number of sites up to half of all
};

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// `words` a lane, a power of two; `boards` 1 or 2 in flight. `whole`: all bits of all words are sites, and there is one plane.
template <unsigned lanes_, unsigned words_, unsigned column_bits_, unsigned boards_, unsigned threads_, bool whole_>
struct DenseTeamOf {
    static constexpr unsigned lanes = lanes_;
    static constexpr unsigned words = words_;
    static constexpr unsigned column_bits = column_bits_;
    static constexpr unsigned boards = boards_;
    static constexpr unsigned threads = threads_;
    static constexpr bool whole = whole_;
    __host__ __device__ static constexpr unsigned log2(unsigned value) { return value < 2 ? 0 : 1 + log2(value / 2); }
    static constexpr unsigned field_bits = log2(words * lanes) + column_bits;
    static constexpr unsigned probes = 32 / field_bits < 4 ? 32 / field_bits : 4;
};

template <class Team>
struct DenseTile {
    simt::LOCKSTEP_MACHINE::SharedArray<unsigned, Team::threads * Team::words * Team::boards> taken;
};

template <unsigned lanes>
__device__ inline unsigned team_sum(unsigned mask, unsigned value) {
    if constexpr (lanes == 32) {
        return __reduce_add_sync(mask, value);
    } else {
#pragma unroll
        for (unsigned distance = lanes / 2; distance > 0; distance /= 2) {
            value += __shfl_xor_sync(mask, value, static_cast<int>(distance));
        }
        return value;
    }
}

// Where a probe goes, from the low field_bits of `field`: offset of the word from the team's first, and the bit.
template <class Team>
__device__ inline unsigned probed_word(unsigned field) {
    unsigned const word = field >> Team::column_bits;
    unsigned const step = word & (Team::words - 1);
    unsigned const lane = word >> Team::log2(Team::words) & (Team::lanes - 1);
    return step * 32 + lane;
}

template <class Team>
__device__ inline unsigned probed_bit(unsigned field) {
    if constexpr (Team::column_bits == 5) return __funnelshift_l(1u, 1u, field);
    return 1u << (field & ((1u << Team::column_bits) - 1));
}

template <class Team, class Engine>
class DenseDrawer {
public:
    using Tile = DenseTile<Team>;
    static constexpr unsigned stride = Team::words * 32;  // of the boards in flight

    __device__ DenseDrawer(Tile& tile, Engine const& engine)
        : tile_(tile),
          engine_(engine),
          lane_(threadIdx.x % Team::lanes),
          mask_(Team::lanes == 32 ? 0xFFFFFFFFu
                                  : ((1u << Team::lanes % 32) - 1) << (threadIdx.x % 32 / Team::lanes * Team::lanes)),
          base_(threadIdx.x / 32 * stride * Team::boards + threadIdx.x % 32 / Team::lanes * Team::lanes) {}

    // The dense pass of board `board`: candidates taken with the plan's density, into shared memory. Gives the number still missing;
    // `inverted` says whether bits that are not taken are drawn.
    __device__ unsigned pass(unsigned board, unsigned const (&candidates)[Team::words], unsigned wanted, unsigned plan,
                             unsigned& inverted) {
        unsigned drawn[Team::words];
#pragma unroll
        for (unsigned i = 0; i < Team::words; ++i) drawn[i] = 0;
        unsigned numerator = plan >> 8;
        for (unsigned digit = 0; digit < (plan & 0xFF); ++digit, numerator >>= 1) {
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
            if (!Team::whole) drawn[i] &= candidates[i];
            count += static_cast<unsigned>(__popc(drawn[i]));
        }
        count = team_sum<Team::lanes>(mask_, count);
        inverted = count > wanted ? 0xFFFFFFFFu : 0;
        unsigned const first = base_ + board * stride + lane_;
#pragma unroll
        for (unsigned i = 0; i < Team::words; ++i) {
            unsigned const taken = drawn[i] ^ inverted;
            tile_.taken[first + i * 32] = Team::whole ? taken : taken | ~candidates[i];
        }
        return count > wanted ? count - wanted : wanted - count;
    }

    // Takes as many more sites as are missing in each board, at random.
    __device__ void repair(unsigned const (&missing)[Team::boards]) {
        if (Team::lanes > 1) __syncwarp(mask_);
        unsigned board = base_;
        unsigned left = missing[0];
        unsigned next = Team::boards > 1 ? missing[Team::boards - 1] : 0;
        if (Team::boards > 1 && left == 0) {
            left = next;
            next = 0;
            board += stride;
        }
        while (left != 0) {
            unsigned field = engine_();
            if constexpr (Team::lanes == 1) {
#pragma unroll
                for (unsigned probe = 0; probe < Team::probes; ++probe, field >>= Team::field_bits) {
                    unsigned const at = board + probed_word<Team>(field);
                    unsigned const bit = probed_bit<Team>(field);
                    unsigned const taken = tile_.taken[at];
                    if ((taken & bit) == 0 && left != 0) {
                        tile_.taken[at] = taken | bit;
                        --left;
                    }
                }
            } else {
                unsigned found = 0;
#pragma unroll
                for (unsigned probe = 0; probe < Team::probes; ++probe, field >>= Team::field_bits) {
                    if (probe * Team::lanes + lane_ >= left) continue;
                    unsigned const bit = probed_bit<Team>(field);
                    unsigned const taken = atomicOr(&tile_.taken[board + probed_word<Team>(field)], bit);
                    found += (taken & bit) == 0 ? 1 : 0;
                }
                left -= team_sum<Team::lanes>(mask_, found);
            }
            if (Team::boards > 1 && left == 0) {
                left = next;
                next = 0;
                board += stride;
            }
        }
        if (Team::lanes > 1) __syncwarp(mask_);
    }

    // Word i of this lane.
    __device__ unsigned drawn(unsigned board, unsigned i, unsigned candidates, unsigned inverted) {
        unsigned const taken = tile_.taken[base_ + board * stride + lane_ + i * 32];
        return Team::whole ? taken ^ inverted : (taken ^ inverted) & candidates;
    }

private:
    Tile& tile_;
    Engine engine_;
    unsigned lane_;
    unsigned mask_;
    unsigned base_;
};

template <class Team, class Engine, bool stored>
__global__ void __launch_bounds__(Team::threads)
    dense(__grid_constant__ DenseParameters const parameters, unsigned* const results) {
    GridParameters const& p = parameters.grid;
    auto& tile = simt::LOCKSTEP_MACHINE::shared_memory<DenseTile<Team>>();
    unsigned long long const stream = global_thread() / Team::lanes;
    if (stream >= p.streams) return;
    unsigned const lane = threadIdx.x % Team::lanes;
    unsigned long long const unit = p.first_unit + stream;
    DenseDrawer<Team, Engine> drawer(tile, Engine::stream(p.seed, unit, lane));
    Occupied const occupied_sites(p, unit);
    unsigned const board_words = p.height * p.words_a_row;
    // Streams side by side, so that a warp stores whole lines: word w of a team's stream, w = step * lanes + lane.
    constexpr unsigned side_by_side = 32 / Team::lanes;
    unsigned* place = results + stream / side_by_side * side_by_side * words_of_stream(p, true) +
                      lane * side_by_side + stream % side_by_side;
    unsigned sum = 0;

    for (unsigned first = 0; first < p.length; first += Team::boards) {
        unsigned candidates[Team::words];
#pragma unroll
        for (unsigned i = 0; i < Team::words; ++i) {
            unsigned const word = i * Team::lanes + lane;
            bool const last = (word + 1) % p.words_a_row == 0;
            candidates[i] = Team::whole ? 0xFFFFFFFFu : word >= board_words ? 0 : last ? p.last_mask : 0xFFFFFFFFu;
        }
        unsigned among = p.width * p.height;
        for (unsigned plane = 0; plane < (Team::whole ? 1 : p.planes); ++plane) {
            unsigned missing[Team::boards];
            unsigned inverted[Team::boards];
#pragma unroll
            for (unsigned board = 0; board < Team::boards; ++board) {
                missing[board] = 0;
                inverted[board] = 0;
                if (first + board >= p.length) continue;
                unsigned const occupied = occupied_sites(p, first + board, plane);
                bool const most = occupied > among - occupied;
                unsigned const wanted = most ? among - occupied : occupied;
                unsigned const plan = p.mixed != 0 ? parameters.mixed_plans[wanted] : parameters.plans[plane];
                missing[board] = drawer.pass(board, candidates, wanted, plan, inverted[board]);
                inverted[board] ^= most ? 0xFFFFFFFFu : 0;
                if (!Team::whole) among = occupied;
            }
            drawer.repair(missing);
#pragma unroll
            for (unsigned board = 0; board < Team::boards; ++board) {
                if (first + board >= p.length) continue;
#pragma unroll
                for (unsigned i = 0; i < Team::words; ++i) {
                    unsigned const word = drawer.drawn(board, i, candidates[i], inverted[board]);
                    if (!Team::whole) candidates[i] = word;
                    if (!Team::whole && i * Team::lanes + lane >= board_words) continue;
                    if (stored) place[i * 32] = word;
                    if (!stored) sum = fold(sum, word);
                }
                if (stored) place += (Team::whole ? Team::words * Team::lanes : board_words) * side_by_side;
            }
        }
    }
    if (!stored) results[stream / side_by_side * 32 + lane * side_by_side + stream % side_by_side] = sum;
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
