// CUB's block- and warp-wide functions: equal to loops over the same values, for blocks of boundary sizes.

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>

#include "harness/simt/cuda_api/cub.hpp"
#include "tests/harness/simt/cuda_api/support.hpp"

namespace lockstep::cuda_api_test {
namespace {

template <class T>
T& storage() {
    struct Tag;
    return simt::emulator::static_shared<T, Tag>("storage");
}

// Not commutative, so that the order of the operands counts.
struct Affine {
    int factor, offset;
    friend bool operator==(Affine const&, Affine const&) = default;
};
struct Compose {
    Affine operator()(Affine const& a, Affine const& b) const {
        return {a.factor * b.factor % 97, (a.offset * b.factor + b.offset) % 97};
    }
};
Affine affine_of(int i) { return {i % 13 + 1, i * i % 7}; }

int item_value(int i) { return i * 37 % 101 - 50; }

template <int threads>
void test_reduce_and_scan() {
    auto const results = on_lanes<Affine>(1, threads, 3 * threads + 1, [](Affine* out) {
        using Reduce = cub::BlockReduce<Affine, threads>;
        using Scan = cub::BlockScan<Affine, threads>;
        int const rank = static_cast<int>(threadIdx.x);
        Affine const total = Reduce(storage<typename Reduce::TempStorage>()).Reduce(affine_of(rank), Compose());
        if (rank == 0) {
            out[0] = total;
        }
        auto& for_scan = storage<typename Scan::TempStorage>();
        Scan(for_scan).InclusiveScan(affine_of(rank), out[1 + rank], Compose());
        __syncthreads();
        Affine sum{};
        Scan(for_scan).ExclusiveScan(affine_of(rank), out[1 + threads + rank], Affine{2, 3}, Compose(), sum);
        out[1 + 2 * threads + rank] = sum;
    });
    Affine running{1, 0};
    Affine seeded{2, 3};
    for (int i = 0; i < threads; ++i) {
        auto const at = static_cast<std::size_t>(1 + i);
        EXPECT_EQ(results[at + threads], seeded) << i << " of " << threads;
        running = Compose()(running, affine_of(i));
        seeded = Compose()(seeded, affine_of(i));
        EXPECT_EQ(results[at], running) << i << " of " << threads;
    }
    EXPECT_EQ(results[0], running);
    EXPECT_EQ(results.back(), running);
}

TEST(CubBlock, ReducesAndScansInTheOrderOfTheThreads) {
    test_reduce_and_scan<1>();
    test_reduce_and_scan<31>();
    test_reduce_and_scan<32>();
    test_reduce_and_scan<33>();
    test_reduce_and_scan<96>();
    EXPECT_NE(Compose()(affine_of(1), affine_of(2)), Compose()(affine_of(2), affine_of(1)));
}

// The first thread reads the results of several warps at once, of the last ones perhaps fewer.
template <class T, int threads>
void test_sum_of_numbers() {
    auto const sum = on_lanes<T>(1, threads, 1, [](T* out) {
        using Reduce = cub::BlockReduce<T, threads>;
        T const all = Reduce(storage<typename Reduce::TempStorage>()).Sum(static_cast<T>(threadIdx.x * threadIdx.x));
        if (threadIdx.x == 0) {
            out[0] = all;
        }
    });
    T expected = 0;
    for (int i = 0; i < threads; ++i) {
        expected += static_cast<T>(i * i);
    }
    EXPECT_EQ(sum[0], expected) << threads;
}

TEST(CubBlock, SumsNumbersOfAnyNumberOfWarps) {
    test_sum_of_numbers<int, 32>();
    test_sum_of_numbers<int, 64>();
    test_sum_of_numbers<int, 128>();
    test_sum_of_numbers<int, 161>();
    test_sum_of_numbers<double, 96>();
    test_sum_of_numbers<double, 128>();
}

// std::pair is not trivially copyable. CUB copies its bytes.
TEST(CubBlock, ReducesValuesThatAreNotTriviallyCopyable) {
    using Pair = std::pair<int, float>;
    static_assert(!std::is_trivially_copyable_v<Pair>);
    auto const best = on_lanes<int>(1, 70, 1, [](int* out) {
        using Reduce = cub::BlockReduce<Pair, 70>;
        int const rank = static_cast<int>(threadIdx.x);
        auto const larger = [](Pair const& a, Pair const& b) { return b.second > a.second ? b : a; };
        Pair const found = Reduce(storage<typename Reduce::TempStorage>())
                               .Reduce(Pair(rank, static_cast<float>(item_value(rank))), larger);
        if (rank == 0) {
            out[0] = found.first;
        }
    });
    int expected = 0;
    for (int i = 1; i < 70; ++i) {
        expected = item_value(i) > item_value(expected) ? i : expected;
    }
    EXPECT_EQ(best[0], expected);
}

TEST(CubBlock, SumsThePartThatIsValid) {
    auto const sums = on_lanes<int>(1, 64, 5, [](int* out) {
        using Reduce = cub::BlockReduce<int, 64>;
        int slot = 0;
        for (int const valid : {1, 31, 32, 33, 64}) {
            int const sum = Reduce(storage<Reduce::TempStorage>()).Sum(static_cast<int>(threadIdx.x), valid);
            __syncthreads();
            if (threadIdx.x == 0) {
                out[slot++] = sum;
            }
        }
    });
    EXPECT_EQ(sums, (std::vector<int>{0, 465, 496, 528, 2016}));
}

// Four items per thread: loaded, scanned and stored, of which the last are missing.
TEST(CubBlock, LoadsScansAndStoresItems) {
    constexpr int valid = 4 * 33 - 5;
    auto const results = on_lanes<int>(1, 33, 4 * 33, [](int* out) {
        using Load = cub::BlockLoad<int, 33, 4, cub::BLOCK_LOAD_TRANSPOSE>;
        using Store = cub::BlockStore<int, 33, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>;
        using Scan = cub::BlockScan<int, 33>;
        union Storage {
            Load::TempStorage load;
            Scan::TempStorage scan;
            Store::TempStorage store;
        };
        auto& shared = storage<Storage>();
        int items[4];
        Load(shared.load).Load(cub::CountingInputIterator<int>(0), items, valid, -7);
        __syncthreads();
        Scan(shared.scan).InclusiveSum(items, items);
        __syncthreads();
        Store(shared.store).Store(out, items, valid);
    });
    int sum = 0;
    for (int i = 0; i < 4 * 33; ++i) {
        sum += i;
        EXPECT_EQ(results[static_cast<std::size_t>(i)], i < valid ? sum : 0) << i;
    }
}

// A sum that goes on from tile to tile through a callback, as a scan of a long array in one block.
TEST(CubBlock, CarriesASumFromTileToTile) {
    struct Running {
        int sum;
        int operator()(int total) {
            int const before = sum;
            sum += total;
            return before;
        }
    };
    auto const results = on_lanes<int>(1, 40, 120, [](int* out) {
        using Scan = cub::BlockScan<int, 40>;
        Running running{5};
        for (int tile = 0; tile < 3; ++tile) {
            int const at = tile * 40 + static_cast<int>(threadIdx.x);
            Scan(storage<Scan::TempStorage>()).ExclusiveSum(item_value(at), out[at], running);
            __syncthreads();
        }
    });
    int sum = 5;
    for (int i = 0; i < 120; sum += item_value(i++)) {
        EXPECT_EQ(results[static_cast<std::size_t>(i)], sum) << i;
    }
}

template <class K>
K item_key(int i) {
    return static_cast<K>(item_value(i)) / 2;
}

// Keys with duplicates; the values are their first places, so they show whether the sort is stable.
template <class K, int threads>
void test_block_sort(bool descending) {
    std::size_t const size = 3 * threads;
    auto const places = on_lanes<int>(1, threads, size, [descending](int* out) {
        using Sort = cub::BlockRadixSort<K, threads, 3, int>;
        auto& shared = storage<typename Sort::TempStorage>();
        K keys[3];
        int values[3];
        for (int i = 0; i < 3; ++i) {
            values[i] = 3 * static_cast<int>(threadIdx.x) + i;
            keys[i] = item_key<K>(values[i]);
        }
        descending ? Sort(shared).SortDescending(keys, values) : Sort(shared).Sort(keys, values);
        for (int i = 0; i < 3; ++i) {
            out[3 * threadIdx.x + static_cast<unsigned>(i)] = values[i];
        }
    });
    std::vector<int> expected(size);
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) {
        return descending ? item_key<K>(b) < item_key<K>(a) : item_key<K>(a) < item_key<K>(b);
    });
    EXPECT_EQ(places, expected) << threads;
}

TEST(CubBlock, SortsStably) {
    for (bool const descending : {false, true}) {
        test_block_sort<int, 1>(descending);
        test_block_sort<int, 33>(descending);
        test_block_sort<unsigned, 32>(descending);
        test_block_sort<float, 64>(descending);
        test_block_sort<double, 31>(descending);
        test_block_sort<signed char, 33>(descending);
    }
}

TEST(CubBlock, ExchangesAndSubtractsItems) {
    auto const results = on_lanes<int>(1, 33, 6 * 33, [](int* out) {
        using Exchange = cub::BlockExchange<int, 33, 3>;
        using Difference = cub::BlockAdjacentDifference<int, 33>;
        unsigned const rank = threadIdx.x;
        int items[3];
        cub::LoadDirectStriped<33>(static_cast<int>(rank), cub::CountingInputIterator<int>(0), items);
        Exchange(storage<Exchange::TempStorage>()).StripedToBlocked(items);
        cub::StoreDirectBlocked(static_cast<int>(rank), out, items);
        for (int& item : items) {
            item = item * item;
        }
        Difference(storage<Difference::TempStorage>()).SubtractLeft(items, items, cub::Difference());
        cub::StoreDirectBlocked(static_cast<int>(rank), out + 3 * 33, items);
    });
    for (int i = 0; i < 3 * 33; ++i) {
        EXPECT_EQ(results[static_cast<std::size_t>(i)], i);
        EXPECT_EQ(results[static_cast<std::size_t>(3 * 33 + i)], i == 0 ? 0 : 2 * i - 1) << i;
    }
}

template <int width>
void test_warps() {
    constexpr int threads = 40;  // the second warp is not full
    auto const results = on_lanes<Affine>(1, threads, 3 * threads, [](Affine* out) {
        using Reduce = cub::WarpReduce<Affine, width>;
        using Scan = cub::WarpScan<Affine, width>;
        int const rank = static_cast<int>(threadIdx.x);
        typename Reduce::TempStorage for_reduction;
        typename Scan::TempStorage for_scan;
        out[rank] = Reduce(for_reduction).Reduce(affine_of(rank), Compose());
        Scan(for_scan).InclusiveScan(affine_of(rank), out[threads + rank], Compose());
        Scan(for_scan).ExclusiveScan(affine_of(rank), out[2 * threads + rank], Affine{2, 3}, Compose());
    });
    for (int first = 0; first < threads; first += width) {
        Affine running{1, 0};
        Affine seeded{2, 3};
        for (int i = first; i < std::min(first + width, threads); ++i) {
            EXPECT_EQ(results[static_cast<std::size_t>(2 * threads + i)], seeded) << i << " of " << width;
            running = Compose()(running, affine_of(i));
            seeded = Compose()(seeded, affine_of(i));
            EXPECT_EQ(results[static_cast<std::size_t>(threads + i)], running) << i << " of " << width;
        }
        EXPECT_EQ(results[static_cast<std::size_t>(first)], running) << first << " of " << width;
    }
}

TEST(CubWarp, ReducesAndScansLogicalWarps) {
    test_warps<1>();
    test_warps<2>();
    test_warps<8>();
    test_warps<32>();
}

TEST(CubWarp, SumsThePartThatIsValid) {
    auto const sums = on_lanes<int>(1, 32, 4, [](int* out) {
        using Reduce = cub::WarpReduce<int>;
        Reduce::TempStorage none;
        int slot = 0;
        for (int const valid : {1, 5, 31, 32}) {
            int const sum = Reduce(none).Sum(static_cast<int>(threadIdx.x) + 1, valid);
            if (threadIdx.x == 0) {
                out[slot++] = sum;
            }
        }
    });
    EXPECT_EQ(sums, (std::vector<int>{1, 15, 496, 528}));
}

}  // namespace
}  // namespace lockstep::cuda_api_test
