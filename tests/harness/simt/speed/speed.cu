#include "tests/harness/simt/speed/speed.hpp"

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::speed::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

__global__ void straight_kernel(float* values, unsigned rounds) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = values[i];
    for (unsigned round = 0; round < rounds; ++round) {
        value = value * 2.0f + 1.0f;
    }
    values[i] = value;
}

__global__ void barriers_kernel(unsigned rounds) {
    for (unsigned round = 0; round < rounds; ++round) {
        __syncthreads();
    }
}

__global__ void shuffles_kernel(unsigned* sums, unsigned rounds) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = threadIdx.x;
    for (unsigned round = 0; round < rounds; ++round) {
        value += __shfl_xor_sync(0xFFFFFFFFu, value, 1 << round % 5);
    }
    sums[i] = value;
}

__global__ void syncwarps_kernel(unsigned rounds) {
    for (unsigned round = 0; round < rounds; ++round) {
        __syncwarp();
    }
}

__global__ void atomics_kernel(unsigned* counts, unsigned rounds) {
    for (unsigned round = 0; round < rounds; ++round) {
        atomicAdd(&counts[(threadIdx.x + 7 * round) % 256], 1u);
    }
}

struct Partial {
    SharedArray<float, 1024> sums;
};

__global__ void reduction_kernel(float const* values, float* sums, unsigned rounds) {
    auto& partial = shared_memory<Partial>();
    float total = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        partial.sums[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
        __syncthreads();
        for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
            if (threadIdx.x < half) {
                partial.sums[threadIdx.x] += partial.sums[threadIdx.x + half];
            }
            __syncthreads();
        }
        float const sum = partial.sums[0];
        total += sum;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = total;
    }
}

Buffer<float> ones(unsigned size) {
    Buffer<float> values(size);
    for (unsigned i = 0; i < size; ++i) {
        values.data()[i] = 1;
    }
    return values;
}

}  // namespace

void straight(unsigned blocks, unsigned block_size, unsigned rounds) {
    static Buffer<float> values = ones(1u << 20);
    launch("straight_kernel", straight_kernel, {.grid = {blocks}, .block = {block_size}}, {}, values.data(), rounds);
}

void barriers(unsigned blocks, unsigned block_size, unsigned rounds) {
    launch("barriers_kernel", barriers_kernel, {.grid = {blocks}, .block = {block_size}}, {}, rounds);
}

void shuffles(unsigned blocks, unsigned block_size, unsigned rounds) {
    static Buffer<unsigned> sums(1u << 20);
    launch("shuffles_kernel", shuffles_kernel, {.grid = {blocks}, .block = {block_size}}, {}, sums.data(), rounds);
}

void syncwarps(unsigned blocks, unsigned block_size, unsigned rounds) {
    launch("syncwarps_kernel", syncwarps_kernel, {.grid = {blocks}, .block = {block_size}}, {}, rounds);
}

void atomics(unsigned blocks, unsigned block_size, unsigned rounds) {
    static Buffer<unsigned> counts(256);
    counts.fill_bytes(0);
    launch("atomics_kernel", atomics_kernel, {.grid = {blocks}, .block = {block_size}}, {}, counts.data(), rounds);
}

void reduction(unsigned blocks, unsigned block_size, unsigned rounds) {
    static Buffer<float> const values = ones(1u << 20);
    static Buffer<float> sums(1u << 20);
    launch("reduction_kernel", reduction_kernel,
           {.grid = {blocks}, .block = {block_size}, .shared_bytes = sizeof(Partial)}, {}, values.data(), sums.data(),
           rounds);
}

}  // namespace lockstep::speed::LOCKSTEP_MACHINE
