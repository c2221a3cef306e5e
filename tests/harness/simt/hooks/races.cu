// Races, each with the weakest synchronisation that does not prevent it.

#include "tests/harness/simt/hooks/cases.hpp"
#include "tests/harness/simt/hooks/launching.hpp"

namespace lockstep::hook_tests::LOCKSTEP_MACHINE {
namespace race_cases {

__global__ void no_barrier(unsigned* out) {
    auto& shared = shared_memory<Words>();
    shared.v[threadIdx.x] = 0;
    __syncthreads();
    shared.v[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = shared.v[63 - threadIdx.x];
}

__global__ void no_second_barrier(unsigned* out) {
    auto& shared = shared_memory<Words>();
    unsigned sum = 0;
    for (unsigned step = 0; step < 4; ++step) {
        shared.v[threadIdx.x] = threadIdx.x + step;
        __syncthreads();
        sum += shared.v[(threadIdx.x + 32) % 64];
    }
    out[threadIdx.x] = sum;
}

__global__ void no_syncwarp(unsigned* out) {
    auto& shared = shared_memory<Words>();
    shared.v[threadIdx.x] = 0;
    __syncwarp();
    shared.v[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = shared.v[31 - threadIdx.x];
}

__global__ void no_second_syncwarp(unsigned* out) {
    auto& shared = shared_memory<Words>();
    unsigned sum = 0;
    for (unsigned step = 0; step < 4; ++step) {
        shared.v[threadIdx.x] = threadIdx.x + step;
        __syncwarp();
        sum += shared.v[(threadIdx.x + 1) % 32];
    }
    out[threadIdx.x] = sum;
}

__global__ void half_masks(unsigned* out) {
    auto& shared = shared_memory<Words>();
    unsigned const mask = threadIdx.x < 16 ? 0x0000FFFFu : 0xFFFF0000u;
    shared.v[threadIdx.x] = 0;
    __syncwarp();
    shared.v[threadIdx.x] = threadIdx.x;
    __syncwarp(mask);
    out[threadIdx.x] = shared.v[31 - threadIdx.x];  // the other half's
}

__global__ void shuffle_for_syncwarp(unsigned* out) {
    auto& shared = shared_memory<Words>();
    shared.v[threadIdx.x] = 0;
    __syncwarp();
    shared.v[threadIdx.x] = threadIdx.x;
    unsigned const all = __ballot_sync(full_warp, 1);  // orders no memory
    out[threadIdx.x] = shared.v[31 - threadIdx.x] + all;
}

__global__ void warp_synchronous(unsigned* out) {
    unsigned volatile* const v = shared_memory<Words>().v;
    v[threadIdx.x] = threadIdx.x;
    __syncwarp();
    for (unsigned half = 16; half != 0; half /= 2) {
        if (threadIdx.x < half) {
            v[threadIdx.x] = v[threadIdx.x] + v[threadIdx.x + half];
        }
    }
    out[threadIdx.x] = v[0];
}

__global__ void syncwarp_for_barrier(unsigned* out) {
    auto& shared = shared_memory<Words>();
    shared.v[threadIdx.x] = 0;
    __syncthreads();
    shared.v[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = shared.v[(threadIdx.x + 32) % 64];
}

__global__ void between_blocks(unsigned* data, unsigned* out) {
    unsigned const i = threadIdx.x + blockIdx.x * blockDim.x;
    data[i] = i;
    __syncthreads();
    out[i] = data[(i + blockDim.x) % (2 * blockDim.x)];
}

__global__ void increment(unsigned* counter) { counter[0] = counter[0] + 1; }

__global__ void atomic_and_plain(unsigned* counter, unsigned* out) {
    atomicAdd(counter, 1u);
    out[threadIdx.x + blockIdx.x * blockDim.x] = counter[0];
}

__global__ void same_value(unsigned* flag) { flag[0] = 1; }

// Two lanes draw from one state.
__global__ void shared_random_state(unsigned* states, unsigned* out) {
    unsigned x = states[threadIdx.x / 2];
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    states[threadIdx.x / 2] = x;
    out[threadIdx.x] = x;
}

// Block 0 sends to block 1. `fences`: 1 sends with a fence, 2 receives with one, 4 sends with one of block scope.
__global__ void message(unsigned* data, unsigned* flag, unsigned* out, unsigned fences) {
    if (threadIdx.x != 0) {
        return;
    }
    if (blockIdx.x == 0) {
        data[0] = 42;
        if ((fences & 1) != 0) {
            __threadfence();
        }
        if ((fences & 4) != 0) {
            __threadfence_block();
        }
        atomicExch(flag, 1u);
    } else {
        while (atomicAdd(flag, 0u) == 0) {
            __nanosleep(32);
        }
        if ((fences & 2) != 0) {
            __threadfence();
        }
        out[0] = data[0];
    }
}

// The reader would not end with a plain flag, so it looks once.
__global__ void plain_flag(unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 42;
        __threadfence();
        flag[0] = 1;
    } else if (flag[0] == 1) {
        __threadfence();
        out[0] = data[0];
    }
}

// The last block to finish sums up, as in the Programming Guide, but without the fence.
__global__ void last_block(unsigned* parts, unsigned* count, unsigned* out) {
    auto& shared = shared_memory<Words>();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x;
        shared.v[0] = atomicInc(count, gridDim.x);
    }
    __syncthreads();
    if (shared.v[0] == gridDim.x - 1 && threadIdx.x == 0) {
        unsigned sum = 0;
        for (unsigned i = 0; i < gridDim.x; ++i) {
            sum += parts[i];
        }
        out[0] = sum;
    }
}

__global__ void lock_without_fence(unsigned* lock, unsigned* counter) {
    if (threadIdx.x != 0) {
        return;
    }
    while (atomicCAS(lock, 0u, 1u) != 0) {
        __nanosleep(32);
    }
    counter[0] = counter[0] + 1;
    atomicExch(lock, 0u);
}

__global__ void bytes(unsigned char* flags) { flags[threadIdx.x / 2] = static_cast<unsigned char>(threadIdx.x); }

// As the last block that resets a counter, but another block only reads the counter.
__global__ void reset_before_reader(unsigned* count) {
    if (blockIdx.x == 0) {
        load_relaxed(count);
    } else {
        atomicAdd(count, 1u);
        *count = 0;
    }
}

__global__ void halves(unsigned short* flags) { flags[threadIdx.x / 2] = static_cast<unsigned short>(threadIdx.x); }

// Lane 0 writes a byte of the half that lane 1 writes.
__global__ void half_and_byte(unsigned short* flags, bool byte_first) {
    if ((threadIdx.x == 0) != byte_first) {
        __nanosleep(32);
    }
    if (threadIdx.x == 0) {
        reinterpret_cast<unsigned char*>(flags)[3] = 1;
    } else if (threadIdx.x == 1) {
        flags[1] = 2;
    }
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

template <unsigned fences>
void messages() {
    auto data = zeros(1);
    auto flag = zeros(1);
    auto out = zeros(1);
    run_resident(message, 2, 32, data.data(), flag.data(), out.data(), fences);
}

void plain_flags() {
    auto data = zeros(1);
    auto flag = zeros(1);
    auto out = zeros(1);
    run(plain_flag, 2, 1, data.data(), flag.data(), out.data());
}

void last_blocks() {
    auto parts = zeros(8);
    auto count = zeros(1);
    auto out = zeros(1);
    run(last_block, 8, 32, parts.data(), count.data(), out.data());
}

void byte_arrays() {
    Buffer<unsigned char> flags(64);
    flags.fill_bytes(0);
    run(bytes, 1, 64, flags.data());
}

void half_arrays() {
    Buffer<unsigned short> flags(64);
    flags.fill_bytes(0);
    run(halves, 1, 64, flags.data());
}

template <bool byte_first>
void halves_and_bytes() {
    Buffer<unsigned short> flags(64);
    flags.fill_bytes(0);
    run(half_and_byte, 1, 32, flags.data(), byte_first);
}

constexpr Case all[] = {
    {"no_barrier", "missing __syncthreads", with_out<no_barrier, 1, 64>},
    {"no_second_barrier", "missing second __syncthreads in a loop", with_out<no_second_barrier, 1, 64>},
    {"no_syncwarp", "missing __syncwarp", with_out<no_syncwarp, 1, 32>},
    {"no_second_syncwarp", "missing second __syncwarp in a loop", with_out<no_second_syncwarp, 1, 32>},
    {"half_masks", "half masks", with_out<half_masks, 1, 32>},
    {"shuffle_for_syncwarp", "vote in place of __syncwarp", with_out<shuffle_for_syncwarp, 1, 32>},
    {"warp_synchronous", "warp-synchronous code, volatile", with_out<warp_synchronous, 1, 32>},
    {"syncwarp_for_barrier", "__syncwarp in place of __syncthreads", with_out<syncwarp_for_barrier, 1, 64>},
    {"between_blocks", "race between blocks", with_two<between_blocks, 2, 64>},
    {"increment", "increment without atomic, lanes", with_out<increment, 1, 32>},
    {"increment_by_blocks", "increment without atomic, blocks of one lane", with_out<increment, 4, 1>},
    {"atomic_and_plain", "atomic and plain accesses", with_two<atomic_and_plain, 2, 32>},
    {"same_value", "writes of the same value", with_out<same_value, 1, 64>},
    {"shared_random_state", "random state of two lanes", with_two<shared_random_state, 1, 32>},
    {"message_no_fence", "message without fences", messages<0>},
    {"message_no_send_fence", "message without the sender's fence", messages<2>},
    {"message_no_receive_fence", "message without the receiver's fence", messages<1>},
    {"message_block_fence", "message with a fence of block scope", messages<6>},
    {"plain_flag", "flag that is not volatile", plain_flags},
    {"last_block", "last block without fence", last_blocks},
    {"lock_without_fence", "lock without fences", with_two<lock_without_fence, 4, 32>},
    {"reset_before_reader", "reset of a counter that another block reads", with_out<reset_before_reader, 2, 1>},
    {"bytes", "race on a byte", byte_arrays},
    {"halves", "race on half a word", half_arrays},
    {"byte_of_half", "race on a byte of half a word, the half first", halves_and_bytes<false>},
    {"half_of_byte", "race on a byte of half a word, the byte first", halves_and_bytes<true>},
};

}  // namespace race_cases

std::span<Case const> races() { return race_cases::all; }

}  // namespace lockstep::hook_tests::LOCKSTEP_MACHINE
