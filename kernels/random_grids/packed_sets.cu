// Packing of stored sets. A block transposes tiles of 32 streams x 32 words in shared memory: a warp reads one word of
// 32 streams, which lie together if a thread drew each stream, and writes 32 words of one stream. Neighbouring blocks
// have neighbouring words of the same streams. Nothing diverges but the ends of the range. Bytes: 8 per word. A column
// of padding keeps the tile's columns in different banks.

#include "kernels/random_grids/packed_sets.hpp"

#include <algorithm>
#include <bit>

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/kernel.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

constexpr unsigned tile_edge = 32;
constexpr unsigned tile_rows = 8;  // warps per block; each moves four rows of a tile

struct PackTile {
    SharedArray<unsigned, tile_edge*(tile_edge + 1)> words;
};

// A tile: its first unit and word, and this thread's column and first row in it.
struct TilePlace {
    unsigned long long first_unit;
    unsigned first_word;
    unsigned column;
    unsigned row;
};

// `whole`: all words of the tile exist and are in the range. `interleave_bits`: layout.interleave is a power of two,
// and a division by a number that the compiler does not know would take longer than the copy of a word.
template <bool whole>
__device__ inline void move_tile(PackTile& tile, bench::WordLayout const& layout, unsigned interleave_bits,
                                 unsigned const* stored, WordRange const& range, unsigned* packed,
                                 TilePlace const& at) {
    unsigned const in_group = at.column & (layout.interleave - 1);
    unsigned long long const word_0 = (at.first_unit + at.column - in_group) * layout.words + in_group;
    unsigned const* const from =
        stored + word_0 + (static_cast<unsigned long long>(at.first_word + at.row) << interleave_bits);
#pragma unroll
    for (unsigned step = 0; step < tile_edge; step += tile_rows) {
        if (whole || (at.first_unit + at.column < layout.units && at.first_word + at.row + step < layout.words)) {
            tile.words[(at.row + step) * (tile_edge + 1) + at.column] =
                from[static_cast<unsigned long long>(step) << interleave_bits];
        }
    }
    __syncthreads();
    unsigned long long const word = (at.first_unit + at.row) * layout.words + at.first_word + at.column - range.first;
#pragma unroll
    for (unsigned step = 0; step < tile_edge; step += tile_rows) {
        unsigned long long const to = word + static_cast<unsigned long long>(step) * layout.words;
        bool const exists = at.first_unit + at.row + step < layout.units && at.first_word + at.column < layout.words;
        if (whole || (exists && to < range.count))  // a word in front of the range has a number that wraps
            packed[to] = tile.words[at.column * (tile_edge + 1) + at.row + step];
    }
    __syncthreads();
}

}  // namespace

__global__ void __launch_bounds__(tile_edge* tile_rows)
    pack_tiles(__grid_constant__ bench::WordLayout const layout, unsigned const interleave_bits,
               unsigned const* const stored, __grid_constant__ WordRange const range, unsigned* const packed) {
    auto& tile = shared_memory<PackTile>();
    unsigned const first_word = blockIdx.x * tile_edge;
    unsigned long long const tiles = simt::ceil_div(layout.units, static_cast<unsigned long long>(tile_edge));
    for (unsigned long long at = blockIdx.y; at < tiles; at += gridDim.y) {
        TilePlace const place = {at * tile_edge, first_word, threadIdx.x % tile_edge, threadIdx.x / tile_edge};
        unsigned long long const first = place.first_unit * layout.words + first_word;
        unsigned long long const last = first + (tile_edge - 1) * (layout.words + 1ull);
        bool const whole = place.first_unit + tile_edge <= layout.units && first_word + tile_edge <= layout.words &&
                           first >= range.first && last - range.first < range.count;
        if (whole)
            move_tile<true>(tile, layout, interleave_bits, stored, range, packed, place);
        else
            move_tile<false>(tile, layout, interleave_bits, stored, range, packed, place);
    }
}

void pack_words(bench::WordLayout const& layout, unsigned const* const stored, WordRange const& range,
                unsigned* const packed, simt::Stream const stream) {
    if (range.count == 0)
        return;
    constexpr unsigned long long max_grid_y = 65535;
    LaunchShape shape;
    shape.block.x = tile_edge * tile_rows;
    shape.grid.x = simt::ceil_div(layout.words, tile_edge);
    shape.grid.y = static_cast<unsigned>(std::min(simt::ceil_div(layout.units, 32ull), max_grid_y));
    shape.shared_bytes = sizeof(PackTile);
    auto const interleave_bits = static_cast<unsigned>(std::countr_zero(layout.interleave));
    launch("pack_tiles", pack_tiles, shape, stream, layout, interleave_bits, stored, range, packed);
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
