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

}  // namespace

// `interleave_bits`: layout.interleave is a power of two, and a division by a number that the compiler does not know
// would take longer than the copy of a word.
__global__ void __launch_bounds__(tile_edge* tile_rows)
    pack_tiles(__grid_constant__ bench::WordLayout const layout, unsigned const interleave_bits,
               unsigned const* const stored, __grid_constant__ WordRange const range, unsigned* const packed) {
    auto& tile = shared_memory<PackTile>();
    unsigned const column = threadIdx.x % tile_edge;
    unsigned const row = threadIdx.x / tile_edge;
    unsigned const first_word = blockIdx.x * tile_edge;
    unsigned const in_group = column & (layout.interleave - 1);
    unsigned long long const tiles = simt::ceil_div(layout.units, static_cast<unsigned long long>(tile_edge));
    for (unsigned long long at = blockIdx.y; at < tiles; at += gridDim.y) {
        unsigned long long const first_unit = at * tile_edge;
        // Of word 0 of this lane's unit.
        unsigned long long const source = ((first_unit + column - in_group) * layout.words) + in_group;
#pragma unroll
        for (unsigned step = 0; step < tile_edge; step += tile_rows) {
            unsigned const i = step + row;
            if (first_unit + column < layout.units && first_word + i < layout.words) {
                tile.words[i * (tile_edge + 1) + column] =
                    stored[source + (static_cast<unsigned long long>(first_word + i) << interleave_bits)];
            }
        }
        __syncthreads();
#pragma unroll
        for (unsigned step = 0; step < tile_edge; step += tile_rows) {
            unsigned const i = step + row;
            unsigned long long const word = (first_unit + i) * layout.words + first_word + column;
            bool const exists = first_unit + i < layout.units && first_word + column < layout.words;
            if (exists && word >= range.first && word - range.first < range.count)
                packed[word - range.first] = tile.words[column * (tile_edge + 1) + i];
        }
        __syncthreads();
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
