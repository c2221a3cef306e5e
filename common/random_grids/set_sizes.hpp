#pragma once
// Counts the drawn sets that do not have their number of sites, on the machine that draws them (slide "Speed of
// Threadwise": all grids have K bits set to 1). Cases that fold their sets draw them again with the same kernel, built
// to store them. For `.cu` files.
//
// A thread per set: it reads every word of the set once and does a population count per word. Lanes diverge only where
// mixed sets need their number of sites.

#include <algorithm>
#include <cstdint>

#include "common/random_grids/parameters.hpp"
#include "harness/bench/digest.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Set `index / streams` of stream `index % streams`, so that the threads of a warp read adjacent streams. A template, so
// that each file that includes this header may define it.
template <class Word>
__global__ void count_other_sizes(__grid_constant__ GridParameters const p, bench::WordLayout const layout,
                                  Word const* const words, unsigned long long* const others) {
    unsigned long long const index = global_thread();
    unsigned const sets = p.length * p.planes;
    if (index >= p.streams * sets)
        return;
    unsigned long long const stream = index % p.streams;
    unsigned const set = static_cast<unsigned>(index / p.streams);
    unsigned const words_per_set = p.height * p.words_per_row;
    unsigned sites = 0;
    for (unsigned word = 0; word < words_per_set; ++word) {
        unsigned long long const at =
            bench::LOCKSTEP_MACHINE::word_index(layout, stream, set * words_per_set + word);
        sites += static_cast<unsigned>(__popc(words[at]));
    }
    Occupied const occupied(p, p.first_unit + stream);
    if (sites != occupied(p, set / p.planes, set % p.planes))
        atomicAdd(others, 1ull);
}

struct SetSizes {
    double checked = 0;
    double others = 0;  // sets with another number of sites than they should have
};

// The sets stored at `words`, which lie in device memory.
inline SetSizes stored_set_sizes(GridParameters const& p, bench::WordLayout const& layout,
                                 unsigned const* const words) {
    simt::LOCKSTEP_MACHINE::Buffer<unsigned long long> others(1);
    others.fill_bytes(0);
    std::uint64_t const sets = p.streams * p.length * p.planes;
    simt::LaunchShape shape;
    shape.block.x = 256;
    shape.grid.x = static_cast<unsigned>(simt::ceil_div(sets, std::uint64_t{256}));
    simt::LOCKSTEP_MACHINE::launch("count_other_sizes", count_other_sizes<unsigned>, shape, simt::Stream{}, p, layout, words,
                                   others.data());
    simt::LOCKSTEP_MACHINE::synchronize(simt::Stream{});
    return {static_cast<double>(sets), static_cast<double>(others.to_vector().front())};
}

// Streams that are drawn and counted at a time: full groups of interleaved streams, at most 2 GiB.
inline std::uint64_t streams_at_a_time(bench::WordLayout const& layout) {
    std::uint64_t const fitting = (std::uint64_t{2} << 30) / (sizeof(unsigned) * std::max(1u, layout.words));
    return std::max<std::uint64_t>(fitting / threadwise_interleave, 1) * threadwise_interleave;
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
