#include "tests/harness/simt/collectives/collectives.hpp"

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::collectives::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

struct Words {
    SharedArray<unsigned, 8> word;
    Shared<int> count;
    Shared<float> real;
};

// Appends one lane's results to its output in the order of the calls.
class Results {
public:
    __device__ explicit Results(unsigned* out) : out_(out) {}
    __device__ void add(unsigned value) { *out_++ = value; }
    __device__ void add(int value) { add(static_cast<unsigned>(value)); }
    __device__ void add(float value) { add(__float_as_uint(value)); }
    __device__ void add(unsigned long long value) {
        add(static_cast<unsigned>(value));
        add(static_cast<unsigned>(value >> 32));
    }

private:
    unsigned* out_;
};

__device__ inline void warp_part(Results& results) {
    unsigned const lane = lane_id();
    int const centred = static_cast<int>(lane) - 16;
    results.add(__ballot_sync(full_warp, lane % 3 == 0));
    results.add(__any_sync(full_warp, lane == 31));
    results.add(__all_sync(full_warp, lane < 31));
    results.add(__shfl_sync(full_warp, lane * 10, 5));
    results.add(__shfl_sync(full_warp, lane, 9, 8));
    results.add(__shfl_up_sync(full_warp, lane, 3u));
    results.add(__shfl_up_sync(full_warp, lane, 3u, 8));
    results.add(__shfl_down_sync(full_warp, lane, 3u));
    results.add(__shfl_down_sync(full_warp, lane, 3u, 16));
    results.add(__shfl_xor_sync(full_warp, lane, 21));
    results.add(__shfl_xor_sync(full_warp, lane, 8, 8));
    results.add(__shfl_xor_sync(full_warp, 0.5f * static_cast<float>(lane), 1));
    results.add(__shfl_xor_sync(full_warp, (1ull << 40) + lane, 2));
    results.add(__match_any_sync(full_warp, lane / 5));
    int all_equal = 7;
    results.add(__match_all_sync(full_warp, lane / 32, &all_equal));
    results.add(all_equal);
    results.add(__match_all_sync(full_warp, lane, &all_equal));
    results.add(__reduce_add_sync(full_warp, centred));
    results.add(__reduce_min_sync(full_warp, centred));
    results.add(__reduce_max_sync(full_warp, static_cast<unsigned>(centred)));
    results.add(__reduce_and_sync(full_warp, lane | 64));
    results.add(__reduce_or_sync(full_warp, lane));
    results.add(__reduce_xor_sync(full_warp, lane * 77));
    // Two halves of the warp, each with its own mask.
    unsigned const half = lane < 16 ? 0x0000FFFFu : 0xFFFF0000u;
    if (lane < 16) {
        results.add(__reduce_add_sync(half, lane));
    } else {
        results.add(__ballot_sync(half, lane % 2 == 0));
    }
    __syncwarp(half);
}

__device__ inline void block_part(Results& results) {
    auto& words = shared_memory<Words>();
    unsigned const rank = thread_rank();
    if (rank < 8) {
        words.word[rank] = rank == 2 ? 0xFFFFFFFFu : 0;
    }
    if (rank == 0) {
        words.count = 0;
        words.real = 0.25f;
    }
    __syncthreads();
    atomicAdd(&words.word[0], rank);
    atomicMax(&words.word[1], rank);
    atomicMin(&words.word[2], rank + 5);
    atomicOr(&words.word[3], 1u << (rank % 32));
    atomicXor(&words.word[4], rank);
    atomicInc(&words.word[5], 9u);
    atomicCAS(&words.word[6], 0u, 42u);
    atomicSub(&words.count, 1);
    atomicAdd(&words.real, 0.5f);
    results.add(__syncthreads_count(rank % 3 == 0));
    results.add(__syncthreads_and(rank < 1000));
    results.add(__syncthreads_or(rank == 1000));
    for (unsigned i = 0; i < 7; ++i) {
        results.add(static_cast<unsigned>(words.word[i]));
    }
    results.add(static_cast<int>(words.count));
    results.add(static_cast<float>(words.real));
}

__global__ void collectives_kernel(unsigned* out) {
    Results results(out + thread_rank() * results_per_lane);
    warp_part(results);
    block_part(results);
    unsigned const rank = thread_rank();
    results.add(__funnelshift_l(0x80000001u + rank, 0x12345678u, 36u));
}

std::vector<unsigned> run_collectives() {
    constexpr unsigned threads = 96;
    Buffer<unsigned> out(threads * results_per_lane);
    out.fill_bytes(0);
    launch("collectives_kernel", collectives_kernel, {.grid = {1}, .block = {threads}, .shared_bytes = sizeof(Words)},
           {}, out.data());
    synchronize({});
    return out.to_vector();
}

__global__ void indices_kernel(unsigned* out) {
    unsigned const thread = block_rank() * threads_in_block() + thread_rank();
    unsigned const position = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x +
                              10000 * blockIdx.y + 100000 * blockIdx.z;
    out[thread] = position + 1000000 * lane_id() + 100000000 * warp_id();
}

std::vector<unsigned> run_indices() {
    Buffer<unsigned> out(2 * 3 * 2 * 5 * 4 * 3);
    out.fill_bytes(0);
    launch("indices_kernel", indices_kernel, {.grid = {2, 3, 2}, .block = {5, 4, 3}}, {}, out.data());
    synchronize({});
    return out.to_vector();
}

// Odd lanes exit early; the barrier applies to the remaining lanes.
__global__ void early_exit_kernel(unsigned* out) {
    unsigned const rank = thread_rank();
    if (rank % 2 == 1) {
        return;
    }
    out[rank] = static_cast<unsigned>(__syncthreads_count(1));
}

std::vector<unsigned> run_early_exit(unsigned threads) {
    Buffer<unsigned> out(threads);
    out.fill_bytes(0);
    launch("early_exit_kernel", early_exit_kernel, {.grid = {1}, .block = {threads}}, {}, out.data());
    synchronize({});
    return out.to_vector();
}

}  // namespace lockstep::collectives::LOCKSTEP_MACHINE
