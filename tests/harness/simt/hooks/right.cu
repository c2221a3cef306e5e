// Right kernels that a wrong checker would report.

#include "tests/harness/simt/hooks/cases.hpp"
#include "tests/harness/simt/hooks/launching.hpp"

namespace lockstep::hook_tests::LOCKSTEP_MACHINE {
namespace right_cases {

constexpr unsigned table[4] = {1, 2, 3, 5};

__global__ void barriers(unsigned* out) {
    auto& shared = shared_memory<Words>();
    unsigned sum = 0;
    for (unsigned step = 0; step < 4; ++step) {
        shared.v[threadIdx.x] = threadIdx.x + table[step];
        __syncthreads();
        sum += shared.v[63 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}

__global__ void syncwarps(unsigned* out) {
    auto& shared = shared_memory<Words>();
    unsigned const first = threadIdx.x & ~31u;
    unsigned const half = (threadIdx.x & 16) != 0 ? 0xFFFF0000u : 0x0000FFFFu;
    unsigned sum = 0;
    for (unsigned step = 0; step < 4; ++step) {
        shared.v[threadIdx.x] = threadIdx.x;
        __syncwarp();
        sum += shared.v[first + (threadIdx.x + 1) % 32];
        __syncwarp();
        shared.v[threadIdx.x] = sum;
        __syncwarp(half);
        sum += shared.v[threadIdx.x ^ 1];
        __syncwarp();
    }
    out[threadIdx.x] = sum;
}

// Lanes leave early: the others' barriers order what those did.
__global__ void leave_early(unsigned* out) {
    auto& shared = shared_memory<Words>();
    shared.v[threadIdx.x] = threadIdx.x;
    if (threadIdx.x >= 32) {
        return;
    }
    __syncthreads();
    out[threadIdx.x] = shared.v[threadIdx.x + 32];
}

__global__ void histogram(unsigned const* in, unsigned* out) {
    auto& shared = shared_memory<Words>();
    shared.v[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&shared.v[in[threadIdx.x] % 4], 1u);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], shared.v[threadIdx.x]);
}

__global__ void float_sum(float* sum) { atomicAdd(sum, 1.0f); }

__global__ void message(unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 42;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicExch(flag, 1u);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicAdd(flag, 0u) == 0) {
                __nanosleep(32);
            }
            __threadfence();
        }
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x];
    }
}

__global__ void volatile_message(unsigned* data, unsigned volatile* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 42;
        __threadfence();
        flag[0] = 1;
    } else {
        while (flag[0] == 0) {
            __nanosleep(32);
        }
        __threadfence();
        out[0] = data[0];
    }
}

__global__ void release_acquire(unsigned* data, unsigned* flags, unsigned* out) {
    unsigned const i = blockIdx.x;
    if (threadIdx.x != 0) {
        return;
    }
    if (i != 0) {
        while (load_acquire(&flags[i - 1]) == 0) {
            __nanosleep(32);
        }
        data[i] = data[i - 1] + 1;  // a chain: each block knows what all before it did
        out[i] = data[0];
    } else {
        data[0] = 1;
    }
    store_release(&flags[i], 1u);
}

__global__ void last_block(unsigned* parts, unsigned* count, unsigned* out) {
    auto& shared = shared_memory<Words>();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x;
        __threadfence();
        shared.v[0] = atomicInc(count, gridDim.x);
    }
    __syncthreads();
    if (shared.v[0] == gridDim.x - 1 && threadIdx.x < gridDim.x) {
        out[threadIdx.x] = parts[threadIdx.x];
    }
}

__global__ void lock(unsigned* word, unsigned* counter) {
    if (threadIdx.x % 8 != 0) {
        return;
    }
    while (atomicCAS(word, 0u, 1u) != 0) {
        __nanosleep(32);
    }
    __threadfence();
    counter[0] = counter[0] + 1;
    __threadfence();
    atomicExch(word, 0u);
}

__global__ void grid_barriers(unsigned long long* arrivals, unsigned* data, unsigned* out) {
    unsigned const i = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned const all = gridDim.x * blockDim.x;
    for (unsigned step = 0; step < 3; ++step) {
        data[i] = i + step;
        grid_barrier(arrivals);
        out[i] = data[all - 1 - i];
        grid_barrier(arrivals);
    }
}

__global__ void neighbouring_bytes(unsigned char* bytes) {
    bytes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
    __syncthreads();
    bytes[threadIdx.x + 64] = bytes[63 - threadIdx.x];
}

// Words by halves, then halves by bytes, then words.
__global__ void neighbouring_halves(unsigned short* halves) {
    halves[threadIdx.x] = static_cast<unsigned short>(threadIdx.x);
    __syncthreads();
    auto* const bytes = reinterpret_cast<unsigned char*>(halves);
    bytes[threadIdx.x] = bytes[threadIdx.x + 64];
    __syncthreads();
    reinterpret_cast<unsigned*>(halves)[threadIdx.x] = threadIdx.x;
}

// The last block to count itself resets the counter by a plain write, which no update of another block can follow.
__global__ void reset_counter(unsigned* count) {
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(count, 1u) == gridDim.x - 1) {
            *count = 0;
        }
    }
}

struct Padded {
    unsigned char small;
    double large;
};

__global__ void structs(Padded* a, Padded* b) {
    a[threadIdx.x].small = 1;
    a[threadIdx.x].large = 2;
    b[threadIdx.x] = a[threadIdx.x];
}

__global__ void vectors(uint4 const* in, uint4* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void local_memory(unsigned* out) {
    unsigned volatile local[32];
    for (unsigned i = 0; i < 32; ++i) {
        local[i] = i;
    }
    unsigned const other = __shfl_sync(full_warp, local[threadIdx.x % 32], 3);
    out[threadIdx.x] = local[out[threadIdx.x] % 32] + other;
}

template <auto kernel, unsigned blocks, unsigned threads>
void with_out() {
    auto out = zeros(1024);
    run(kernel, blocks, threads, out.data());
}

template <auto kernel, unsigned blocks, unsigned threads>
void with_two() {
    auto a = zeros(1024);
    auto b = zeros(1024);
    run(kernel, blocks, threads, a.data(), b.data());
}

template <auto kernel, unsigned blocks, unsigned threads>
void resident_with_three() {
    auto a = zeros(1024);
    auto b = zeros(1024);
    auto c = zeros(1024);
    run_resident(kernel, blocks, threads, a.data(), b.data(), c.data());
}

template <unsigned blocks, unsigned threads>
void grid() {
    Buffer<unsigned long long> arrivals(1);
    arrivals.fill_bytes(0);
    auto data = zeros(blocks * threads);
    auto out = zeros(blocks * threads);
    run_resident(grid_barriers, blocks, threads, arrivals.data(), data.data(), out.data());
}

void floats() {
    Buffer<float> sum(1);
    sum.fill_bytes(0);
    run(float_sum, 2, 64, sum.data());
}

void byte_arrays() {
    Buffer<unsigned char> bytes(128);
    run(neighbouring_bytes, 1, 64, bytes.data());
}

void half_arrays() {
    Buffer<unsigned short> halves(128);
    run(neighbouring_halves, 1, 64, halves.data());
}

void padded() {
    Buffer<Padded> a(32);
    Buffer<Padded> b(32);
    run(structs, 1, 32, a.data(), b.data());
}

void wide() {
    Buffer<uint4> in(32);
    in.fill_bytes(1);
    Buffer<uint4> out(32);
    run(vectors, 1, 32, in.data(), out.data());
}

// What one launch writes the next may read, by other lanes.
void two_launches() {
    auto out = zeros(1024);
    run(barriers, 2, 64, out.data());
    auto sums = zeros(64);
    run(histogram, 1, 64, out.data() + 64, sums.data());
}

constexpr Case all[] = {
    {"barriers", nullptr, with_out<barriers, 2, 64>},
    {"syncwarps", nullptr, with_out<syncwarps, 1, 64>},
    {"leave_early", nullptr, with_out<leave_early, 1, 64>},
    {"histogram", nullptr, with_two<histogram, 4, 64>},
    {"float_sum", nullptr, floats},
    {"message_with_fences", nullptr, resident_with_three<message, 2, 64>},
    {"volatile_message", nullptr, resident_with_three<volatile_message, 2, 1>},
    {"release_acquire", nullptr, resident_with_three<release_acquire, 8, 32>},
    {"last_block_with_fence", nullptr, resident_with_three<last_block, 8, 32>},
    {"lock", nullptr, with_two<lock, 4, 64>},
    {"grid_barrier", nullptr, grid<4, 64>},
    {"many_lanes", nullptr, grid<33, 256>},  // ThreadSanitizer has 8128 fibers
    {"neighbouring_bytes", nullptr, byte_arrays},
    {"neighbouring_halves", nullptr, half_arrays},
    {"reset_counter", nullptr, with_out<reset_counter, 8, 32>},
    {"structs", nullptr, padded},
    {"vectors", nullptr, wide},
    {"local_memory", nullptr, with_out<local_memory, 1, 64>},
    {"two_launches", nullptr, two_launches},
};

}  // namespace right_cases

std::span<Case const> right_kernels() { return right_cases::all; }

}  // namespace lockstep::hook_tests::LOCKSTEP_MACHINE
