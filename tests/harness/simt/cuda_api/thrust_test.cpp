// Thrust's containers, iterators and algorithms: on host and device vectors, with and without policies.

#include "harness/simt/cuda_api/thrust.hpp"

#include "tests/harness/simt/cuda_api/support.hpp"

namespace lockstep::cuda_api_test {
namespace {

std::size_t const thrust_sizes[] = {0, 1, 31, 32, 33, 1000};

thrust::host_vector<int> thrust_values(std::size_t size) {
    thrust::host_vector<int> values(size);
    for (std::size_t i = 0; i < size; ++i) {
        values[i] = static_cast<int>(i * 7919 % 101) - 50;
    }
    return values;
}

TEST(ThrustVectors, CopyBetweenHostAndDevice) {
    for (std::size_t const size : thrust_sizes) {
        auto const host = thrust_values(size);
        thrust::device_vector<int> device = host;
        thrust::device_vector<int> const copy(device.begin(), device.end());
        thrust::host_vector<int> back = copy;
        EXPECT_EQ(static_cast<std::vector<int> const&>(back), static_cast<std::vector<int> const&>(host));
        device.push_back(7);
        device.resize(size + 3, 9);
        EXPECT_EQ(device[size], 7);
        EXPECT_EQ(device[size + 2], 9);
        EXPECT_EQ(copy.size(), size) << "a copy has elements of its own";
        device.erase(device.begin(), device.begin() + 1);
        EXPECT_EQ(device.size(), size + 2);
    }
}

TEST(ThrustVectors, AreDeviceMemory) {
    thrust::device_vector<int> const device(33, 5);
    std::vector<int> host(33);
    EXPECT_EQ(
        cudaMemcpy(host.data(), thrust::raw_pointer_cast(device.data()), 33 * sizeof(int), cudaMemcpyDeviceToHost),
        cudaSuccess);
    EXPECT_EQ(host, std::vector<int>(33, 5));
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, thrust::raw_pointer_cast(device.data())), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
}

TEST(ThrustAlgorithms, SortsAlsoByKey) {
    for (std::size_t const size : thrust_sizes) {
        auto const keys = thrust_values(size);
        std::vector<std::size_t> expected(size);
        std::iota(expected.begin(), expected.end(), std::size_t{0});
        std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return keys[b] < keys[a]; });

        thrust::device_vector<int> sorted = keys;
        thrust::device_vector<std::size_t> places(size);
        thrust::sequence(thrust::device, places.begin(), places.end());
        thrust::stable_sort_by_key(sorted.begin(), sorted.end(), places.begin(), thrust::greater<int>());
        for (std::size_t i = 0; i < size; ++i) {
            ASSERT_EQ(places[i], expected[i]);
            ASSERT_EQ(sorted[i], keys[expected[i]]);
        }
        EXPECT_EQ(thrust::is_sorted(sorted.begin(), sorted.end()), size < 2) << "it is descending";
        thrust::device_ptr<int> const first(thrust::raw_pointer_cast(sorted.data()));
        thrust::sort(thrust::cuda::par.on(nullptr), first, first + static_cast<std::ptrdiff_t>(size));
        EXPECT_TRUE(thrust::is_sorted(sorted.begin(), sorted.end()));
    }
}

TEST(ThrustAlgorithms, ReducesAndScans) {
    for (std::size_t const size : thrust_sizes) {
        thrust::device_vector<int> const in = thrust_values(size);
        auto const host = thrust_values(size);
        EXPECT_EQ(thrust::reduce(in.begin(), in.end()), std::accumulate(host.begin(), host.end(), 0));
        EXPECT_EQ(thrust::reduce(thrust::device, in.begin(), in.end(), -7, thrust::maximum<int>()),
                  std::accumulate(host.begin(), host.end(), -7, [](int a, int b) { return std::max(a, b); }));
        auto const squared = [](int x) { return 1ll * x * x; };
        EXPECT_EQ(thrust::transform_reduce(in.begin(), in.end(), squared, 3ll, thrust::plus<long long>()),
                  thrust::inner_product(host.begin(), host.end(), host.begin(), 3ll));
        thrust::device_vector<int> out(size);
        std::vector<int> expected(size);
        thrust::exclusive_scan(in.begin(), in.end(), out.begin(), 4);
        std::exclusive_scan(host.begin(), host.end(), expected.begin(), 4);
        EXPECT_TRUE(thrust::equal(expected.begin(), expected.end(), out.begin()));
        EXPECT_EQ(thrust::inclusive_scan(in.begin(), in.end(), out.begin()) - out.begin(),
                  static_cast<std::ptrdiff_t>(size));
        std::inclusive_scan(host.begin(), host.end(), expected.begin());
        EXPECT_TRUE(thrust::equal(expected.begin(), expected.end(), out.begin()));
    }
}

TEST(ThrustAlgorithms, ReducesByKeyAndDropsDuplicates) {
    int const keys[] = {4, 4, 1, 4, 4, 4};
    int const values[] = {1, 2, 3, 4, 5, 6};
    thrust::device_vector<int> keys_out(6), sums(6);
    auto const ends = thrust::reduce_by_key(thrust::host, keys, keys + 6, values, keys_out.begin(), sums.begin());
    EXPECT_EQ(ends.first - keys_out.begin(), 3);
    EXPECT_EQ(sums[0], 3);
    EXPECT_EQ(sums[2], 15);
    thrust::device_vector<int> distinct(keys, keys + 6);
    EXPECT_EQ(thrust::unique(distinct.begin(), distinct.end()) - distinct.begin(), 3);
    auto const end = thrust::remove_if(distinct.begin(), distinct.begin() + 3, [](int x) { return x == 1; });
    EXPECT_EQ(end - distinct.begin(), 2);
    EXPECT_EQ(thrust::count(distinct.begin(), end, 4), 2);
}

TEST(ThrustIterators, ComputeWhatTheyReferTo) {
    auto const squares =
        thrust::make_transform_iterator(thrust::make_counting_iterator(1), [](int x) { return x * x; });
    EXPECT_EQ(thrust::reduce(squares, squares + 10), 385);
    thrust::device_vector<int> const places = std::vector<int>{3, 0, 3};
    auto const permuted = thrust::make_permutation_iterator(squares, places.begin());
    EXPECT_EQ(thrust::reduce(permuted, permuted + 3), 16 + 1 + 16);
    thrust::constant_iterator<int> const seven(7);
    EXPECT_EQ(thrust::reduce(seven, seven + 6), 42);

    // Pairs that are sorted together by the second component.
    thrust::device_vector<int> numbers = std::vector<int>{1, 2, 3};
    thrust::device_vector<char> letters = std::vector<char>{'c', 'a', 'b'};
    auto const zip = thrust::make_zip_iterator(thrust::make_tuple(numbers.begin(), letters.begin()));
    thrust::sort(zip, zip + 3, [](auto const& a, auto const& b) { return thrust::get<1>(a) < thrust::get<1>(b); });
    EXPECT_EQ(numbers[0] * 100 + numbers[1] * 10 + numbers[2], 231);
    EXPECT_EQ(letters[0], 'a');
    thrust::for_each(zip, zip + 3, [](auto pair) { thrust::get<0>(pair) *= 2; });
    EXPECT_EQ(numbers[2], 2);
}

// Each lane sorts numbers of its own, by a zip of two arrays.
TEST(ThrustAlgorithms, SortsOnALane) {
    auto const sorted = on_lanes<int>(1, 33, 33 * 8, [](int* out) {
        int* const keys = out + threadIdx.x * 8;
        int* const places = keys + 4;
        for (int i = 0; i < 4; ++i) {
            keys[i] = (i * 3 + static_cast<int>(threadIdx.x)) % 4;
            places[i] = i;
        }
        thrust::sort_by_key(thrust::seq, keys, keys + 4, places);
    });
    for (int lane = 0; lane < 33; ++lane) {
        for (int i = 0; i < 4; ++i) {
            auto const at = static_cast<std::size_t>(8 * lane + i);
            EXPECT_EQ(sorted[at], i);
            EXPECT_EQ((sorted[at + 4] * 3 + lane) % 4, i);
        }
    }
}

}  // namespace
}  // namespace lockstep::cuda_api_test
