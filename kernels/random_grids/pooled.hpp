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
#include "kernels/random_grids/packed_set_rows.hpp"
#include "kernels/random_grids/pooled_build.hpp"
#include "kernels/random_grids/pooled_drawer.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

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
