// The gather kernel: one thread per word in a grid-stride loop; the words of a unit are consecutive. Bytes: 8 per word,
// plus 8 per unit for its number.

#include "harness/bench/gather.hpp"

#include <algorithm>

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::bench::LOCKSTEP_MACHINE {

__global__ void gather_kernel(WordLayout const layout, unsigned const* const stored,
                              unsigned long long const* const units, unsigned long long const words,
                              unsigned* const gathered) {
    unsigned long long const threads = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    for (unsigned long long word = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x; word < words;
         word += threads) {
        unsigned long long const unit = units[word / layout.words];
        gathered[word] = stored[word_index(layout, unit, static_cast<unsigned>(word % layout.words))];
    }
}

void gather_units(WordLayout const& layout, unsigned const* const stored, unsigned long long const* const units,
                  unsigned long long const count, unsigned* const gathered) {
    unsigned long long const words = count * layout.words;
    if (words == 0)
        return;
    simt::LaunchShape shape;
    shape.block.x = 256;
    shape.grid.x = static_cast<unsigned>(std::min(simt::ceil_div(words, 256u), 2048ull));
    simt::Stream const stream;
    simt::LOCKSTEP_MACHINE::launch("gather_kernel", gather_kernel, shape, stream, layout, stored, units, words,
                                   gathered);
    simt::LOCKSTEP_MACHINE::synchronize(stream);
}

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
