#include "reverse.hpp"

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace reverse::LOCKSTEP_MACHINE {

using namespace lockstep::simt::LOCKSTEP_MACHINE;

constexpr unsigned threads = 64;

struct Tile {
    SharedArray<float, threads> cells;
};

__global__ void reverse_blocks(float const* values, float* out, bool with_barrier) {
    auto& tile = shared_memory<Tile>();
    unsigned const first = blockIdx.x * threads;
    tile.cells[threadIdx.x] = values[first + threadIdx.x];
    if (with_barrier)
        __syncthreads();
    out[first + threadIdx.x] = tile.cells[threads - 1 - threadIdx.x];
}

std::vector<float> reversed(std::vector<float> const& values, bool with_barrier) {
    Buffer<float> in(values.size());
    in.upload(values);
    Buffer<float> out(values.size());
    unsigned const blocks = static_cast<unsigned>(values.size()) / threads;
    launch("reverse_blocks", reverse_blocks, {.grid = {blocks}, .block = {threads}, .shared_bytes = sizeof(Tile)}, {},
           in.data(), out.data(), with_barrier);
    synchronize({});
    return out.to_vector();
}

}  // namespace reverse::LOCKSTEP_MACHINE
