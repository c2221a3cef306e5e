// The digest kernel: one thread per unit in a grid-stride loop, one atomic addition per thread. Bytes: the words of the
// results, read once.

#include "harness/bench/digest.hpp"

#include <algorithm>

#include "harness/simt/buffer.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::bench::LOCKSTEP_MACHINE {

__global__ void digest_kernel(DigestParameters const parameters, unsigned const* const stored,
                              unsigned long long* const sum) {
    unsigned long long const threads = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    unsigned long long mine = 0;
    for (unsigned long long unit = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
         unit < parameters.layout.units; unit += threads) {
        mine += stored_unit_digest(parameters, stored, unit);
    }
    if (mine != 0)
        atomicAdd(sum, mine);
}

unsigned long long stored_digest(DigestParameters const& parameters, unsigned const* const stored) {
    unsigned long long const units = parameters.layout.units;
    if (units == 0)
        return 0;
    unsigned const block = 256;
    unsigned long long const blocks = std::min(simt::ceil_div(units, block), 2048ull);
    simt::LOCKSTEP_MACHINE::Buffer<unsigned long long> sum(1);
    sum.fill_bytes(0);
    simt::LaunchShape shape;
    shape.grid.x = static_cast<unsigned>(blocks);
    shape.block.x = block;
    simt::Stream const stream;
    simt::LOCKSTEP_MACHINE::launch("digest_kernel", digest_kernel, shape, stream, parameters, stored, sum.data());
    simt::LOCKSTEP_MACHINE::synchronize(stream);
    return sum.to_vector().front();
}

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
