// cuda::atomic and cuda::atomic_ref: results of every operation, on lanes and on the host, and <cuda/std>.

#include "harness/simt/cuda_api/cuda_std.hpp"
#include "tests/harness/simt/cuda_api/support.hpp"

namespace lockstep::cuda_api_test {
namespace {

template <class T>
using DeviceRef = ::cuda::atomic_ref<T, ::cuda::thread_scope_device>;

TEST(CudaAtomic, EveryOperationOnTheHost) {
    int word = 5;
    ::cuda::atomic_ref<int> const ref(word);
    EXPECT_EQ(ref.exchange(6), 5);
    EXPECT_EQ(ref.fetch_add(3, ::cuda::memory_order_relaxed), 6);
    EXPECT_EQ(ref.fetch_sub(1), 9);
    EXPECT_EQ(ref.fetch_min(-4), 8);
    EXPECT_EQ(ref.fetch_max(12), -4);
    EXPECT_EQ(ref.fetch_and(6), 12);
    EXPECT_EQ(ref.fetch_or(3), 4);
    EXPECT_EQ(ref.fetch_xor(1), 7);
    EXPECT_EQ(ref++ + ++ref, 6 + 8);
    EXPECT_EQ(ref -= 3, 5);
    int expected = 4;
    EXPECT_FALSE(ref.compare_exchange_strong(expected, 9));
    EXPECT_EQ(expected, 5);
    EXPECT_TRUE(ref.compare_exchange_weak(expected, 9, ::cuda::memory_order_acq_rel, ::cuda::memory_order_acquire));
    EXPECT_EQ(ref.load(::cuda::std::memory_order_acquire), 9);
    EXPECT_EQ(word, 9);
    word = std::numeric_limits<int>::max();
    EXPECT_EQ(++ref, std::numeric_limits<int>::min());
    ::cuda::atomic<double, ::cuda::thread_scope_block> real{0.5};
    EXPECT_EQ(real.fetch_add(0.25), 0.5);
    EXPECT_EQ(real, 0.75);
    float const numbers[2] = {};
    ::cuda::std::atomic<float const*> pointer{numbers};
    pointer.fetch_add(1);
    EXPECT_EQ(pointer.load(), numbers + 1);
}

TEST(CudaAtomic, LanesLoseNoUpdate) {
    for (unsigned const threads : {1u, 31u, 32u, 33u, 96u}) {
        auto const words = on_lanes<unsigned>(3, threads, 4, [](unsigned* out) {
            DeviceRef<unsigned>(out[0]).fetch_add(1, ::cuda::memory_order_relaxed);
            DeviceRef<unsigned>(out[1]).fetch_max(blockIdx.x * blockDim.x + threadIdx.x);
            DeviceRef<unsigned>(out[2]).fetch_xor(threadIdx.x);
            unsigned old = 0;
            DeviceRef<unsigned> const product(out[3]);
            while (!product.compare_exchange_weak(old, old + 2)) {
            }
        });
        unsigned xored = 0;
        for (unsigned i = 0; i < threads; ++i) {
            xored ^= i;
        }
        EXPECT_EQ(words, (std::vector<unsigned>{3 * threads, 3 * threads - 1, xored, 6 * threads}));
    }
}

// A lane waits for another one's store.
TEST(CudaAtomic, LanesWaitForAValue) {
    auto const words = on_lanes<int>(1, 33, 34, [](int* out) {
        DeviceRef<int> const flag(out[33]);
        if (threadIdx.x == 32) {
            flag.store(7, ::cuda::memory_order_release);
            flag.notify_all();
        } else {
            flag.wait(0, ::cuda::memory_order_acquire);
            out[threadIdx.x] = flag.load(::cuda::memory_order_relaxed);
        }
    });
    EXPECT_EQ(words[0], 7);
    EXPECT_EQ(words[31], 7);
    EXPECT_EQ(words[32], 0);
}

// The order of a failed compare-exchange counts, too, even if it is the stronger one.
TEST(CudaAtomic, CompareExchangeHasBothOrders) {
    using ::cuda::details::both;
    constexpr auto relaxed = ::cuda::memory_order_relaxed, acquire = ::cuda::memory_order_acquire;
    constexpr auto release = ::cuda::memory_order_release, strongest = ::cuda::memory_order_seq_cst;
    EXPECT_EQ(both(relaxed, acquire), acquire);
    EXPECT_EQ(both(release, acquire), ::cuda::memory_order_acq_rel);
    EXPECT_EQ(both(release, relaxed), release);
    EXPECT_EQ(both(relaxed, strongest), strongest);
    EXPECT_EQ(both(strongest, relaxed), strongest);
    int word = 3, expected = 4;
    DeviceRef<int> const reference(word);
    EXPECT_FALSE(reference.compare_exchange_strong(expected, 5, relaxed, acquire));
    EXPECT_EQ(expected, 3);
    EXPECT_TRUE(reference.compare_exchange_weak(expected, 5, release, acquire));
    EXPECT_EQ(word, 5);
}

TEST(CudaStd, IsTheStandardLibrary) {
    static_assert(::cuda::std::is_same_v<::cuda::std::array<int, 2>, std::array<int, 2>>);
    ::cuda::std::tuple<int, float> const pair{1, 2.0f};
    EXPECT_EQ(::cuda::std::get<0>(pair), 1);
    EXPECT_EQ(::cuda::std::numeric_limits<unsigned short>::max(), 65535);
    EXPECT_EQ(::cuda::std::max(2, 3), 3);
}

}  // namespace
}  // namespace lockstep::cuda_api_test
