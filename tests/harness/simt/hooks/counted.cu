// Kernels whose counters can be computed by hand. The lines are marked COUNT.

#include "tests/harness/simt/hooks/counted.hpp"
#include "tests/harness/simt/hooks/launching.hpp"

namespace lockstep::hook_tests::LOCKSTEP_MACHINE {
namespace counted_cases {

__global__ void strided(unsigned* data, unsigned stride) {
    data[threadIdx.x * stride] = 1;  // COUNT strided
}

struct Grid {
    unsigned v[32 * 33];
};

__global__ void columns(unsigned* out, unsigned width) {
    auto& grid = shared_memory<Grid>();
    grid.v[threadIdx.x * width] = threadIdx.x;  // COUNT columns
    __syncthreads();                            // COUNT barrier
    out[threadIdx.x] = grid.v[threadIdx.x * width];
}

__global__ void doubles(double* out, unsigned stride) {
    double* const values = reinterpret_cast<double*>(shared_memory<Grid>().v);
    values[threadIdx.x * stride] = 1;  // COUNT doubles
    out[threadIdx.x] = values[threadIdx.x * stride];
}

// Lane i goes round the inner loop i % 4 + 1 times, in each of 3 rounds of the outer one.
__global__ void loops(unsigned const* in, unsigned* out) {
    unsigned sum = 0;
    for (unsigned outer = 0; outer < 3; ++outer) {
        for (unsigned inner = 0; inner <= threadIdx.x % 4; ++inner) {
            sum += in[32 * inner + threadIdx.x];  // COUNT inner
        }
        out[threadIdx.x] = sum;  // COUNT outer
    }
}

__global__ void branches(unsigned* out, unsigned period) {
    if (threadIdx.x / period % 2 == 0) {  // COUNT branch
        out[threadIdx.x] = 1;             // COUNT even
    } else {
        out[threadIdx.x + 64] = 2;  // COUNT odd
    }
    out[threadIdx.x + 128] = 3;  // COUNT joined
}

// The side of the branch is too long for predication.
__global__ void long_branches(float* out, float factor) {
    float value = out[threadIdx.x];
    if (threadIdx.x % 32 < 8) {
        value = ((value * factor + 1) * factor + 2) * factor + 3;
        value = ((value * factor + 4) * factor + 5) * factor + 6;
        value = ((value * factor + 7) * factor + 8) * factor + 9;
    }
    out[threadIdx.x] = value;
}

__device__ LOCKSTEP_NOINLINE void store(unsigned* out, unsigned value) {
    out[threadIdx.x] = value;  // COUNT called
}

// Half of the warp calls from each branch: two requests, not one.
__global__ void calls(unsigned* out) {
    if (threadIdx.x % 2 == 0) {
        store(out, 1);
    } else {
        store(out, 2);
    }
}

__global__ void atomics(unsigned* out, unsigned addresses) {
    atomicAdd(&out[threadIdx.x % addresses], 1u);  // COUNT atomic
}

__global__ void partial(unsigned* out) {
    if (threadIdx.x < 8) {
        out[threadIdx.x] = __ballot_sync(0xFFu, 1);  // COUNT ballot
    }
}

}  // namespace counted_cases

void count_strided(unsigned stride) {
    auto data = zeros(64 * stride);
    launch("strided", counted_cases::strided, {{1}, {64}}, {}, data.data(), stride);
}

void count_columns(unsigned width) {
    auto out = zeros(32);
    launch("columns", counted_cases::columns, {{1}, {32}, sizeof(counted_cases::Grid)}, {}, out.data(), width);
}

void count_doubles(unsigned stride) {
    Buffer<double> out(32);
    launch("doubles", counted_cases::doubles, {{1}, {32}, sizeof(counted_cases::Grid)}, {}, out.data(), stride);
}

void count_loops() {
    auto const in = zeros(128);
    auto out = zeros(32);
    launch("loops", counted_cases::loops, {{1}, {32}}, {}, in.data(), out.data());
}

void count_branches(unsigned period) {
    auto out = zeros(192);
    launch("branches", counted_cases::branches, {{1}, {64}}, {}, out.data(), period);
}

void count_long_branches() {
    Buffer<float> out(64);
    out.upload(std::vector<float>(64, 1.0F));
    launch("long_branches", counted_cases::long_branches, {{1}, {64}}, {}, out.data(), 2.0F);
}

void count_calls() {
    auto out = zeros(32);
    launch("calls", counted_cases::calls, {{1}, {32}}, {}, out.data());
}

void count_atomics(unsigned addresses) {
    auto out = zeros(32);
    launch("atomics", counted_cases::atomics, {{2}, {32}}, {}, out.data(), addresses);
}

void count_partial() {
    auto out = zeros(32);
    launch("partial", counted_cases::partial, {{1}, {32}}, {}, out.data());
}

}  // namespace lockstep::hook_tests::LOCKSTEP_MACHINE
