// Warp collectives of every type, atomics, coalesced lanes and cooperative groups, on 40 lanes: a whole warp and a
// part.

#include "tests/harness/simt/cuda_api/support.hpp"

#include <algorithm>
#include <numeric>
#include <thread>

#include "harness/simt/cuda_api/cooperative_groups_collectives.hpp"
#include "harness/simt/cuda_api/cuda_fp16.hpp"

namespace lockstep::cuda_api_test {
namespace {

namespace cg = cooperative_groups;

constexpr unsigned all = 0xFFFFFFFFu;

TEST(Warps, ShufflesOfEveryType) {
    auto const values = on_lanes<double>(1, 32, 32 * 8, [](double* out) {
        unsigned const lane = threadIdx.x;
        out[lane] = __shfl_xor_sync(all, 1.5f * static_cast<float>(lane), 1);
        out[32 + lane] = __shfl_up_sync(all, 0.1 * lane, 2);
        out[64 + lane] = static_cast<double>(__shfl_down_sync(all, (1ll << 40) + lane, 1, 8));
        out[96 + lane] = __shfl_sync(all, short{-7}, 3);
        out[128 + lane] = __shfl_sync(all, lane == 5, 5);
        out[160 + lane] = __shfl_sync(all, __half(static_cast<float>(lane)), 9);
        out[192 + lane] = __low2float(__shfl_xor_sync(all, __half2half2(__half(static_cast<float>(lane))), 3));
        out[224 + lane] = static_cast<double>(__shfl_sync(all, ~0ull - lane, 0) >> 1);
    });
    for (unsigned lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(values[lane], 1.5 * (lane ^ 1));
        EXPECT_EQ(values[32 + lane], 0.1 * (lane < 2 ? lane : lane - 2));
        EXPECT_EQ(values[64 + lane], 0x1p40 + (lane % 8 == 7 ? lane : lane + 1));
        EXPECT_EQ(values[96 + lane], -7);
        EXPECT_EQ(values[128 + lane], 1);
        EXPECT_EQ(values[160 + lane], 9);
        EXPECT_EQ(values[192 + lane], lane ^ 3);
        EXPECT_EQ(values[224 + lane], static_cast<double>(~0ull >> 1));
    }
}

TEST(Warps, VotesMatchesAndReductions) {
    auto const values = on_lanes<unsigned>(1, 32, 8, [](unsigned* out) {
        unsigned const lane = threadIdx.x;
        int equal = 0;
        unsigned const results[] = {
            __ballot_sync(all, lane % 4 == 1),
            __match_any_sync(all, static_cast<double>(lane / 8)),
            __match_all_sync(all, 7ll, &equal),
            static_cast<unsigned>(equal),
            static_cast<unsigned>(__reduce_min_sync(all, static_cast<int>(lane) - 5)),
            __reduce_max_sync(all, lane ^ 0x80000000u),
            __reduce_xor_sync(all, 1u << lane),
            static_cast<unsigned>(__syncthreads_count(lane < 3) + 10 * __syncthreads_or(lane == 9) +
                                  100 * __syncthreads_and(lane != 9)),
        };
        if (lane == 11) {
            std::copy(std::begin(results), std::end(results), out);
        }
    });
    EXPECT_EQ(values, (std::vector<unsigned>{0x22222222u, 0x0000FF00u, all, 1, static_cast<unsigned>(-5), 0x8000001Fu,
                                             all, 13}));
}

TEST(Atomics, OfEveryType) {
    struct Words {
        int least;
        unsigned wrapped, counted, high;
        unsigned long long sum, bits;
        float single;
        double real;
        int first;
    };
    auto const values = on_lanes<Words>(3, 40, 1, [](Words* out) {
        unsigned const id = blockIdx.x * 40 + threadIdx.x;  // 0 to 119
        atomicMin(&out->least, -static_cast<int>(id));
        atomicInc(&out->wrapped, 6);  // modulo 7
        atomicDec(&out->counted, 6);  // 0 wraps to 6
        atomicMax(&out->high, id);
        atomicAdd(&out->sum, 1ull << 33);
        atomicOr(&out->bits, 1ull << (id % 64));
        atomicAdd(&out->single, 0.5f);
        atomicAdd(&out->real, 0.25);
        atomicCAS(&out->first, 0, static_cast<int>(id + 1));
        atomicAdd_block(&out->least, 0);
        atomicSub(&out->high, 0);
    })[0];
    EXPECT_EQ(values.least, -119);
    EXPECT_EQ(values.wrapped, 120u % 7);
    EXPECT_EQ(values.counted, 6u - (120u - 1) % 7);
    EXPECT_EQ(values.high, 119u);
    EXPECT_EQ(values.sum, 120ull << 33);
    EXPECT_EQ(values.bits, ~0ull);
    EXPECT_EQ(values.single, 60.0f);
    EXPECT_EQ(values.real, 30.0);
    EXPECT_GE(values.first, 1);
    EXPECT_LE(values.first, 120);
}

TEST(Atomics, OnTheHost) {
    int x = 5;
    EXPECT_EQ(atomicExch(&x, 7), 5);
    EXPECT_EQ(atomicCAS(&x, 6, 9), 7);  // not equal: no change
    EXPECT_EQ(x, 7);
    __half h = 1.0f;
    EXPECT_EQ(static_cast<float>(atomicAdd(&h, __half(2.0f))), 1.0f);
    EXPECT_EQ(static_cast<float>(h), 3.0f);
    float minus_zero = -0.0f;
    EXPECT_EQ(atomicCAS(reinterpret_cast<unsigned*>(&minus_zero), 0u, 1u), 0x80000000u);
}

TEST(Warps, LanesAtACallTogether) {
    auto const values = on_lanes<unsigned>(1, 40, 40, [](unsigned* out) {
        if (threadIdx.x % 3 == 0) {
            out[threadIdx.x] = __activemask();
        }
    });
    for (unsigned i = 0; i < 40; ++i) {
        unsigned const expected = i % 3 != 0 ? 0u : i < 32 ? 0x49249249u : 0b10010010u;  // 33, 36 and 39
        EXPECT_EQ(values[i], expected) << i;
    }
}

// A lane that spins for another lane does not keep that one from its call.
TEST(Warps, LanesAtACallDoNotWaitForEver) {
    auto const values = on_lanes<unsigned>(1, 32, 2, [](unsigned* out) {
        if (threadIdx.x == 0) {
            atomicExch(&out[1], __activemask());
        } else {
            while (atomicAdd(&out[1], 0u) == 0) {
            }
        }
    });
    EXPECT_EQ(values[1], 1u);
}

TEST(Groups, TilesOfAPartialWarp) {
    auto const values = on_lanes<int>(1, 40, 40 * 4, [](int* out) {
        auto const block = cg::this_thread_block();
        auto const tile = cg::tiled_partition<16>(block);
        int const lane = static_cast<int>(threadIdx.x);
        out[lane] = cg::reduce(tile, lane, cg::plus<int>());
        out[40 + lane] = cg::exclusive_scan(tile, 1);
        out[80 + lane] = static_cast<int>(tile.meta_group_rank() * 100 + tile.thread_rank());
        out[120 + lane] = static_cast<int>(tile.ballot(lane % 2));
        cg::sync(block);
    });
    for (int lane = 0; lane < 40; ++lane) {
        EXPECT_EQ(values[static_cast<std::size_t>(lane)], lane < 16 ? 120 : lane < 32 ? 376 : 284);
        EXPECT_EQ(values[static_cast<std::size_t>(40 + lane)], lane % 16);
        EXPECT_EQ(values[static_cast<std::size_t>(80 + lane)], lane / 16 * 100 + lane % 16);
        EXPECT_EQ(values[static_cast<std::size_t>(120 + lane)], lane < 32 ? 0xAAAA : 0xAA);
    }
}

TEST(Groups, CoalescedAndPartitioned) {
    struct Three {
        double a, b, c;
    };
    auto const values = on_lanes<int>(1, 32, 96, [](int* out) {
        int const lane = static_cast<int>(threadIdx.x);
        if (lane % 4 == 2) {
            auto const group = cg::coalesced_threads();
            // A value of 24 bytes from the group's third lane, which is lane 10.
            Three const got = group.shfl(Three{lane * 1.0, lane * 2.0, lane * 3.0}, 2);
            out[lane] = static_cast<int>(got.a + got.b + got.c);
        }
        auto const warp = cg::tiled_partition<32>(cg::this_thread_block());
        auto const part = cg::binary_partition(warp, lane < 5);
        out[32 + lane] = static_cast<int>(part.size());
        auto const label = cg::labeled_partition(warp, lane % 3);
        out[64 + lane] = cg::reduce(label, lane, cg::greater<int>());
    });
    for (int lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(values[static_cast<std::size_t>(lane)], lane % 4 == 2 ? 60 : 0);
        EXPECT_EQ(values[static_cast<std::size_t>(32 + lane)], lane < 5 ? 5 : 27);
        EXPECT_EQ(values[static_cast<std::size_t>(64 + lane)], lane % 3 == 0 ? 30 : lane % 3 == 1 ? 31 : 29);
    }
}

// As cooperative_groups.h of NVIDIA numbers them.
TEST(Groups, KnowTheirNumberInTheGroupThatTheyDivide) {
    auto const values = on_lanes<int>(1, 64, 4 * 64, [](int* out) {
        int const lane = static_cast<int>(threadIdx.x);
        auto const number = [](auto const& group) {
            return static_cast<int>(group.meta_group_rank() * 100 + group.meta_group_size());
        };
        auto const warp = cg::tiled_partition<32>(cg::this_thread_block());
        out[lane] = number(cg::tiled_partition<4>(warp));
        out[64 + lane] = number(cg::binary_partition(warp, lane % 32 < 5));
        out[128 + lane] = number(cg::binary_partition(warp, true));
        out[192 + lane] = number(cg::labeled_partition(warp, 7 - lane % 3));
    });
    for (std::size_t lane = 0; lane < 64; ++lane) {
        EXPECT_EQ(values[lane], static_cast<int>(lane % 32 / 4 * 100 + 8));
        EXPECT_EQ(values[64 + lane], lane % 32 < 5 ? 102 : 2);
        EXPECT_EQ(values[128 + lane], 1);
        EXPECT_EQ(values[192 + lane], static_cast<int>((lane < 32 ? lane % 3 : (lane + 1) % 3) * 100 + 3));
    }
}

void count_in_two_phases(int* arrived, int* seen) {
    atomicAdd(arrived, 1);
    cg::this_grid().sync();
    atomicMin(seen, *arrived);
}

TEST(Groups, TheGridMeets) {
    int* data = nullptr;
    ASSERT_EQ(cudaMallocManaged(&data, 2 * sizeof(int)), cudaSuccess);
    data[0] = 0;
    data[1] = 1000;
    int* seen = data + 1;
    void* arguments[] = {&data, &seen};
    ASSERT_EQ(cudaLaunchCooperativeKernel(count_in_two_phases, 4, 40, arguments), cudaSuccess);
    EXPECT_EQ(data[1], 160);
    // By its address, now that it is known; an unknown one is refused.
    EXPECT_EQ(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(count_in_two_phases), 1, 1, arguments),
              cudaSuccess);
    EXPECT_EQ(cudaLaunchKernel(static_cast<void const*>(data), 1, 1, arguments), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(cudaLaunchCooperativeKernel(count_in_two_phases, 1000, 40, arguments),
              cudaErrorCooperativeLaunchTooLarge);
    cudaGetLastError();
    cudaFree(data);
}

}  // namespace
}  // namespace lockstep::cuda_api_test
