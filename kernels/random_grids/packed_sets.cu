// Packing of stored sets. A block transposes tiles of 32 streams x 32 words in shared memory: a warp reads one word of
// 32 streams, which lie together if a thread drew each stream, and writes 32 words of one stream. Nothing diverges but
// the ends of the range. Bytes: 8 per word. A column of padding keeps the tile's columns in different banks.

#include "kernels/random_grids/packed_sets.hpp"

#include <algorithm>

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

__global__ void __launch_bounds__(tile_edge* tile_rows)
    pack_tiles(__grid_constant__ bench::WordLayout const layout, unsigned const* const stored,
               __grid_constant__ WordRange const range, unsigned* const packed) {
    auto& tile = shared_memory<PackTile>();
    unsigned const column = threadIdx.x % tile_edge;
    unsigned const row = threadIdx.x / tile_edge;
    unsigned const across = simt::ceil_div(layout.words, tile_edge);
    unsigned long long const tiles = simt::ceil_div(layout.units, static_cast<unsigned long long>(tile_edge)) * across;
    for (unsigned long long at = blockIdx.x; at < tiles; at += gridDim.x) {
        unsigned long long const first_unit = at / across * tile_edge;
        unsigned const first_word = static_cast<unsigned>(at % across) * tile_edge;
        for (unsigned i = row; i < tile_edge; i += tile_rows) {
            if (first_unit + column < layout.units && first_word + i < layout.words) {
                tile.words[i * (tile_edge + 1) + column] =
                    stored[bench::LOCKSTEP_MACHINE::word_index(layout, first_unit + column, first_word + i)];
            }
        }
        __syncthreads();
        for (unsigned i = row; i < tile_edge; i += tile_rows) {
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
    std::uint64_t const tiles =
        simt::ceil_div(layout.units, 32ull) * simt::ceil_div(layout.words, static_cast<unsigned>(tile_edge));
    LaunchShape shape;
    shape.block.x = tile_edge * tile_rows;
    shape.grid.x = static_cast<unsigned>(std::min<std::uint64_t>(tiles, 1u << 16));
    shape.shared_bytes = sizeof(PackTile);
    launch("pack_tiles", pack_tiles, shape, stream, layout, stored, range, packed);
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
