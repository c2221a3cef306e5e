#pragma once
// DeviceRadixSort and DeviceSegmentedRadixSort: stable, by bits [begin_bit, end_bit) of the keys (cub_keys.hpp).

#include <algorithm>
#include <numeric>
#include <vector>

#include "harness/simt/cuda_api/cub_device.hpp"
#include "harness/simt/cuda_api/cub_keys.hpp"

namespace cub {

namespace details {

struct NoValues {};

// Sorts [begin, end) of `keys` into `keys_out`, and the values with them.
template <class K, class V>
void sort_range(K const* keys, K* keys_out, V const* values, V* values_out, long long begin, long long end,
                KeyOrder before) {
    auto const count = static_cast<std::size_t>(std::max(0ll, end - begin));
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return before(keys[begin + a], keys[begin + b]); });
    auto const reorder = [&](auto const* from, auto* to) {
        std::vector<std::remove_cvref_t<decltype(*to)>> const copies(from + begin, from + begin + count);
        for (std::size_t i = 0; i < count; ++i) {
            to[begin + static_cast<long long>(i)] = copies[order[i]];
        }
        thrust::note_written(to + begin, to + begin + count);
    };
    if constexpr (!std::is_same_v<V, NoValues>) {
        reorder(values, values_out);
    }
    reorder(keys, keys_out);
}

inline constexpr NoValues* no_values = nullptr;
template <class K>
inline constexpr int all_bits = 8 * static_cast<int>(sizeof(K));

}  // namespace details

// The four functions of each class differ in the order and in what moves with the keys; each also takes two buffers.
#define LOCKSTEP_RADIX_SORT(suffix, descending)                                                                      \
    template <class K, class V>                                                                                      \
    static cudaError_t SortPairs##suffix(void* storage, std::size_t& bytes, K const* keys, K* keys_out,              \
                                         V const* values, V* values_out, long long count, int begin_bit = 0,         \
                                         int end_bit = details::all_bits<K>, cudaStream_t = nullptr) {               \
        return details::with_storage(storage, bytes, [&] {                                                           \
            details::sort_range(keys, keys_out, values, values_out, 0, count, {begin_bit, end_bit, descending});     \
        });                                                                                                          \
    }                                                                                                                \
    template <class K>                                                                                               \
    static cudaError_t SortKeys##suffix(void* storage, std::size_t& bytes, K const* keys, K* keys_out,               \
                                        long long count, int begin_bit = 0, int end_bit = details::all_bits<K>,      \
                                        cudaStream_t = nullptr) {                                                    \
        return SortPairs##suffix(storage, bytes, keys, keys_out, details::no_values, details::no_values, count,      \
                                 begin_bit, end_bit);                                                                \
    }                                                                                                                \
    template <class K, class V>                                                                                      \
    static cudaError_t SortPairs##suffix(void* storage, std::size_t& bytes, DoubleBuffer<K>& keys,                   \
                                         DoubleBuffer<V>& values, long long count, int begin_bit = 0,                \
                                         int end_bit = details::all_bits<K>, cudaStream_t = nullptr) {               \
        return SortPairs##suffix(storage, bytes, keys.Current(), keys.Current(), values.Current(), values.Current(), \
                                 count, begin_bit, end_bit);                                                         \
    }                                                                                                                \
    template <class K>                                                                                               \
    static cudaError_t SortKeys##suffix(void* storage, std::size_t& bytes, DoubleBuffer<K>& keys, long long count,   \
                                        int begin_bit = 0, int end_bit = details::all_bits<K>,                       \
                                        cudaStream_t = nullptr) {                                                    \
        return SortKeys##suffix(storage, bytes, keys.Current(), keys.Current(), count, begin_bit, end_bit);          \
    }

struct DeviceRadixSort {
    LOCKSTEP_RADIX_SORT(, false)
    LOCKSTEP_RADIX_SORT(Descending, true)
};
#undef LOCKSTEP_RADIX_SORT

#define LOCKSTEP_SEGMENTED_RADIX_SORT(suffix, descending)                                                              \
    template <class K, class V, class Begins, class Ends>                                                              \
    static cudaError_t SortPairs##suffix(void* storage, std::size_t& bytes, K const* keys, K* keys_out,                \
                                         V const* values, V* values_out, long long, long long segments, Begins begins, \
                                         Ends ends, int begin_bit = 0, int end_bit = details::all_bits<K>,             \
                                         cudaStream_t = nullptr) {                                                     \
        return details::with_storage(storage, bytes, [&] {                                                             \
            for (long long i = 0; i < segments; ++i) {                                                                 \
                details::sort_range(keys, keys_out, values, values_out, begins[i], ends[i],                            \
                                    {begin_bit, end_bit, descending});                                                 \
            }                                                                                                          \
        });                                                                                                            \
    }                                                                                                                  \
    template <class K, class Begins, class Ends>                                                                       \
    static cudaError_t SortKeys##suffix(                                                                               \
        void* storage, std::size_t& bytes, K const* keys, K* keys_out, long long count, long long segments,            \
        Begins begins, Ends ends, int begin_bit = 0, int end_bit = details::all_bits<K>, cudaStream_t = nullptr) {     \
        return SortPairs##suffix(storage, bytes, keys, keys_out, details::no_values, details::no_values, count,        \
                                 segments, begins, ends, begin_bit, end_bit);                                          \
    }

struct DeviceSegmentedRadixSort {
    LOCKSTEP_SEGMENTED_RADIX_SORT(, false)
    LOCKSTEP_SEGMENTED_RADIX_SORT(Descending, true)
};
#undef LOCKSTEP_SEGMENTED_RADIX_SORT

}  // namespace cub
