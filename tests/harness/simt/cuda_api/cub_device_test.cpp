// CUB's device-wide functions, with the protocol of two calls: equal to the standard library's algorithms.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "harness/simt/cuda_api/cub.hpp"
#include "tests/harness/simt/cuda_api/support.hpp"

namespace lockstep::cuda_api_test {
namespace {

std::size_t const cub_sizes[] = {0, 1, 31, 32, 33, 1000};

// Calls function(storage, bytes) as CUB is called. The first call must only set the size.
template <class Function>
void call_twice(Function function) {
    std::size_t bytes = 0;
    EXPECT_EQ(function(static_cast<void*>(nullptr), bytes), cudaSuccess);
    EXPECT_GT(bytes, 0u);
    void* storage = nullptr;
    ASSERT_EQ(cudaMalloc(&storage, bytes), cudaSuccess);
    EXPECT_EQ(function(storage, bytes), cudaSuccess);
    EXPECT_EQ(cudaFree(storage), cudaSuccess);
}

std::vector<int> cub_values(std::size_t size) {
    std::vector<int> values(size);
    for (std::size_t i = 0; i < size; ++i) {
        values[i] = static_cast<int>(i * 7919 % 1009) - 500;
    }
    return values;
}

TEST(CubDevice, ReturnsOnlyTheSizeInTheFirstCall) {
    int const in[] = {1, 2, 3};
    int out = -1;
    std::size_t bytes = 0;
    EXPECT_EQ(cub::DeviceReduce::Sum(nullptr, bytes, in, &out, 3), cudaSuccess);
    EXPECT_EQ(out, -1);
    EXPECT_GT(bytes, 0u);
}

TEST(CubDevice, Reduces) {
    for (std::size_t const size : cub_sizes) {
        auto const in = cub_values(size);
        auto const count = static_cast<int>(size);
        int sum = -1, most = -1, least = -1;
        call_twice([&](void* s, std::size_t& n) { return cub::DeviceReduce::Sum(s, n, in.data(), &sum, count); });
        call_twice([&](void* s, std::size_t& n) { return cub::DeviceReduce::Max(s, n, in.data(), &most, count); });
        call_twice([&](void* s, std::size_t& n) { return cub::DeviceReduce::Min(s, n, in.data(), &least, count); });
        EXPECT_EQ(sum, std::accumulate(in.begin(), in.end(), 0));
        EXPECT_EQ(most, size == 0 ? std::numeric_limits<int>::lowest() : *std::max_element(in.begin(), in.end()));
        EXPECT_EQ(least, size == 0 ? std::numeric_limits<int>::max() : *std::min_element(in.begin(), in.end()));
        if (size > 0) {
            cub::KeyValuePair<int, int> first;
            call_twice(
                [&](void* s, std::size_t& n) { return cub::DeviceReduce::ArgMin(s, n, in.data(), &first, count); });
            EXPECT_EQ(first.key, std::min_element(in.begin(), in.end()) - in.begin());
            EXPECT_EQ(first.value, least);
        }
    }
}

TEST(CubDevice, ReducesByKeyAndBySegment) {
    std::vector<int> const keys = {4, 4, 4, 1, 4, 4, 9};
    std::vector<int> const values = {1, 2, 3, 4, 5, 6, 7};
    std::vector<int> keys_out(7), sums(7);
    int runs = 0;
    call_twice([&](void* s, std::size_t& n) {
        return cub::DeviceReduce::ReduceByKey(s, n, keys.data(), keys_out.data(), values.data(), sums.data(), &runs,
                                              cub::Sum(), 7);
    });
    EXPECT_EQ(runs, 4);
    EXPECT_EQ(keys_out, (std::vector<int>{4, 1, 4, 9, 0, 0, 0}));
    EXPECT_EQ(sums, (std::vector<int>{6, 4, 11, 7, 0, 0, 0}));

    int const offsets[] = {0, 3, 3, 7};  // the second segment is empty
    int out[3];
    call_twice([&](void* s, std::size_t& n) {
        return cub::DeviceSegmentedReduce::Sum(s, n, values.data(), out, 3, offsets, offsets + 1);
    });
    EXPECT_EQ(std::vector<int>(out, out + 3), (std::vector<int>{6, 0, 22}));
    call_twice([&](void* s, std::size_t& n) {
        return cub::DeviceSegmentedReduce::Max(s, n, values.data(), out, 3, offsets, offsets + 1);
    });
    EXPECT_EQ(out[1], std::numeric_limits<int>::lowest());
}

TEST(CubDevice, ScansAlsoInPlace) {
    for (std::size_t const size : cub_sizes) {
        auto const in = cub_values(size);
        auto const count = static_cast<int>(size);
        std::vector<int> out(size), expected(size);
        call_twice(
            [&](void* s, std::size_t& n) { return cub::DeviceScan::ExclusiveSum(s, n, in.data(), out.data(), count); });
        std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0);
        EXPECT_EQ(out, expected);
        out = in;
        call_twice([&](void* s, std::size_t& n) {
            return cub::DeviceScan::InclusiveScan(s, n, out.data(), out.data(), cub::Max(), count);
        });
        std::inclusive_scan(in.begin(), in.end(), expected.begin(), [](int a, int b) { return std::max(a, b); });
        EXPECT_EQ(out, expected);
    }
}

template <class K>
void test_device_sort(std::size_t size, int begin_bit, int end_bit, K (*key_of)(int)) {
    std::vector<K> keys(size), keys_out(size);
    std::vector<int> places(size), places_out(size), expected(size);
    std::iota(places.begin(), places.end(), 0);
    std::transform(places.begin(), places.end(), keys.begin(), key_of);
    call_twice([&](void* s, std::size_t& n) {
        return cub::DeviceRadixSort::SortPairs(s, n, keys.data(), keys_out.data(), places.data(), places_out.data(),
                                               static_cast<int>(size), begin_bit, end_bit);
    });
    auto const digit = [=](int i) {
        if constexpr (std::is_unsigned_v<K>) {
            return key_of(i) << (32 - end_bit) >> (32 - end_bit + begin_bit);
        } else {
            return key_of(i);
        }
    };
    expected = places;
    std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return digit(a) < digit(b); });
    EXPECT_EQ(places_out, expected);
    for (std::size_t i = 0; i < size; ++i) {
        EXPECT_EQ(keys_out[i], keys[static_cast<std::size_t>(expected[i])]);
    }
}

TEST(CubDevice, SortsBySomeBitsOfAllTypes) {
    for (std::size_t const size : cub_sizes) {
        test_device_sort<unsigned>(size, 0, 32, [](int i) { return static_cast<unsigned>(i) * 2654435761u; });
        test_device_sort<unsigned>(size, 8, 20, [](int i) { return static_cast<unsigned>(i) * 2654435761u; });
        test_device_sort<int>(size, 0, 32, [](int i) { return i * 7919 % 101 - 50; });
        test_device_sort<double>(size, 0, 64, [](int i) { return std::sin(i) * (i % 3); });
        test_device_sort<long long>(size, 0, 64, [](int i) { return (i * 7919ll % 101 - 50) << 40; });
    }
}

TEST(CubDevice, SortsDescendingInTwoBuffersAndBySegment) {
    float keys[] = {1.5f, -0.0f, -2.0f, 0.0f, 7.0f}, other[5];
    int places[] = {0, 1, 2, 3, 4}, other_places[5];
    cub::DoubleBuffer<float> key_buffers(keys, other);
    cub::DoubleBuffer<int> place_buffers(places, other_places);
    call_twice([&](void* s, std::size_t& n) {
        return cub::DeviceRadixSort::SortPairsDescending(s, n, key_buffers, place_buffers, 5);
    });
    int const* sorted = place_buffers.Current();
    EXPECT_EQ(std::vector<int>(sorted, sorted + 5), (std::vector<int>{4, 0, 1, 3, 2}));  // minus zero equals zero

    int const in[] = {3, 1, 2, 9, 8};
    int out[5] = {};
    int const offsets[] = {0, 3, 3, 5};
    call_twice([&](void* s, std::size_t& n) {
        return cub::DeviceSegmentedRadixSort::SortKeys(s, n, in, out, 5, 3, offsets, offsets + 1);
    });
    EXPECT_EQ(std::vector<int>(out, out + 5), (std::vector<int>{1, 2, 3, 8, 9}));
}

TEST(CubDevice, SelectsAndPartitions) {
    for (std::size_t const size : cub_sizes) {
        auto const in = cub_values(size);
        auto const is_even = [](int x) { return x % 2 == 0; };
        std::vector<int> out(size), expected;
        int selected = -1;
        call_twice([&](void* s, std::size_t& n) {
            return cub::DeviceSelect::If(s, n, in.data(), out.data(), &selected, static_cast<int>(size), is_even);
        });
        std::copy_if(in.begin(), in.end(), std::back_inserter(expected), is_even);
        ASSERT_EQ(static_cast<std::size_t>(selected), expected.size());
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), out.begin()));
        call_twice([&](void* s, std::size_t& n) {
            return cub::DevicePartition::If(s, n, in.data(), out.data(), &selected, static_cast<int>(size), is_even);
        });
        std::vector<int> rest;
        std::remove_copy_if(in.begin(), in.end(), std::back_inserter(rest), is_even);
        expected.insert(expected.end(), rest.rbegin(), rest.rend());
        EXPECT_EQ(out, expected);
    }
}

TEST(CubDevice, EncodesRuns) {
    int const in[] = {5, 5, 5, 2, 8, 8, 5};
    int out[7], lengths[7], runs = 0;
    call_twice(
        [&](void* s, std::size_t& n) { return cub::DeviceRunLengthEncode::Encode(s, n, in, out, lengths, &runs, 7); });
    ASSERT_EQ(runs, 4);
    EXPECT_EQ(std::vector<int>(out, out + 4), (std::vector<int>{5, 2, 8, 5}));
    EXPECT_EQ(std::vector<int>(lengths, lengths + 4), (std::vector<int>{3, 1, 2, 1}));
    call_twice([&](void* s, std::size_t& n) {
        return cub::DeviceRunLengthEncode::NonTrivialRuns(s, n, in, out, lengths, &runs, 7);
    });
    ASSERT_EQ(runs, 2);
    EXPECT_EQ(std::vector<int>(out, out + 2), (std::vector<int>{0, 4}));
    EXPECT_EQ(std::vector<int>(lengths, lengths + 2), (std::vector<int>{3, 2}));
}

TEST(CubDevice, CountsInBins) {
    float const samples[] = {-0.1f, 0.0f, 0.9f, 1.0f, 3.99f, 4.0f, std::nanf("")};
    int bins[4];
    call_twice([&](void* s, std::size_t& n) {
        return cub::DeviceHistogram::HistogramEven(s, n, samples, bins, 5, 0.0f, 4.0f, 7);
    });
    EXPECT_EQ(std::vector<int>(bins, bins + 4), (std::vector<int>{2, 1, 0, 1}));
    float const levels[] = {-1.0f, 0.0f, 1.0f, 4.0f};
    call_twice([&](void* s, std::size_t& n) {
        return cub::DeviceHistogram::HistogramRange(s, n, samples, bins, 4, levels, 6);
    });
    EXPECT_EQ(std::vector<int>(bins, bins + 3), (std::vector<int>{1, 2, 2}));
    int const wide[] = {std::numeric_limits<int>::min(), -1, 0, std::numeric_limits<int>::max() - 1};
    call_twice([&](void* s, std::size_t& n) {
        return cub::DeviceHistogram::HistogramEven(s, n, wide, bins, 3, std::numeric_limits<int>::min(),
                                                   std::numeric_limits<int>::max(), 4);
    });
    EXPECT_EQ(std::vector<int>(bins, bins + 2), (std::vector<int>{2, 2}));
}

}  // namespace
}  // namespace lockstep::cuda_api_test
