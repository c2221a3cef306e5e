// Borsos, slide "Warpwise implementation, the code": halving with one row per lane; the warp's sum uses butterfly
// shuffles.

#include "harness/random/philox.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "tests/harness/simt/probes/probes.hpp"

namespace lockstep::probes::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

__device__ inline int warp_sum(int value) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(full_warp, value, distance);
    }
    return value;
}

__global__ void halving_kernel(unsigned* rows, unsigned grids, int occupied, unsigned long long seed) {
    unsigned const grid = blockIdx.x * warps_in_block() + warp_id();
    if (grid >= grids) {
        return;
    }
    auto engine = random::LOCKSTEP_MACHINE::Philox4x32<10>::stream(seed, grid, lane_id());
    unsigned subset = 0;
    unsigned candidates = full_warp;
    int in_subset = 0;
    while (in_subset != occupied) {
        unsigned const selected = engine() & candidates;
        int const count = warp_sum(__popc(selected));
        if (in_subset + count <= occupied) {
            subset |= selected;
            in_subset += count;
            candidates &= ~selected;
        } else {
            candidates = selected;
        }
    }
    rows[grid * warp_size + lane_id()] = subset;
}

std::vector<unsigned> draw_grids(unsigned grids, unsigned occupied, unsigned long long seed) {
    Buffer<unsigned> rows(grids * 32);
    rows.fill_bytes(0xA5);
    launch("halving_kernel", halving_kernel, {.grid = {(grids + 3) / 4}, .block = {128}}, {}, rows.data(), grids,
           occupied, seed);
    synchronize({});
    return rows.to_vector();
}

}  // namespace lockstep::probes::LOCKSTEP_MACHINE
