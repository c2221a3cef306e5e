#pragma once
// BlockRadixSort: sorts the block's items, stably, by bits [begin_bit, end_bit) of the keys (cub_keys.hpp).

#include "harness/simt/cuda_api/cub_items.hpp"
#include "harness/simt/cuda_api/cub_keys.hpp"

namespace cub {

template <class K, int x, int n, class V = NullType, int = 4, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          int = 0, int y = 1, int z = 1>
class BlockRadixSort {
    static constexpr int items = x * y * z * n;
    static constexpr int all_bits = 8 * static_cast<int>(sizeof(K));

public:
    struct TempStorage {
        K keys[items];
        V values[items];
    };

    explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

    // Items are blocked, before and after.
    void Sort(K (&keys)[n], int begin_bit = 0, int end_bit = all_bits, Site site = Site::current()) {
        V none[n];
        sort<false>(keys, none, {begin_bit, end_bit, false}, site);
    }
    void Sort(K (&keys)[n], V (&values)[n], int begin_bit = 0, int end_bit = all_bits, Site site = Site::current()) {
        sort<false>(keys, values, {begin_bit, end_bit, false}, site);
    }
    void SortDescending(K (&keys)[n], int begin_bit = 0, int end_bit = all_bits, Site site = Site::current()) {
        V none[n];
        sort<false>(keys, none, {begin_bit, end_bit, true}, site);
    }
    void SortDescending(K (&keys)[n], V (&values)[n], int begin_bit = 0, int end_bit = all_bits,
                        Site site = Site::current()) {
        sort<false>(keys, values, {begin_bit, end_bit, true}, site);
    }
    // Items are striped afterwards.
    void SortBlockedToStriped(K (&keys)[n], int begin_bit = 0, int end_bit = all_bits, Site site = Site::current()) {
        V none[n];
        sort<true>(keys, none, {begin_bit, end_bit, false}, site);
    }
    void SortBlockedToStriped(K (&keys)[n], V (&values)[n], int begin_bit = 0, int end_bit = all_bits,
                              Site site = Site::current()) {
        sort<true>(keys, values, {begin_bit, end_bit, false}, site);
    }

private:
    // The rank of an item is the number of items that come before it.
    template <bool to_striped>
    void sort(K (&keys)[n], V (&values)[n], details::KeyOrder before, Site site) {
        for (int i = 0; i < n; ++i) {
            storage_.keys[item_index<x * y * z, n, false>(i)] = keys[i];
        }
        __syncthreads(site);
        int ranks[n] = {};
        for (int i = 0; i < n; ++i) {
            int const self = item_index<x * y * z, n, false>(i);
            for (int other = 0; other < items; ++other) {
                K const key = storage_.keys[other];
                ranks[i] += before(key, keys[i]) || (other < self && !before(keys[i], key));
            }
        }
        __syncthreads(site);
        for (int i = 0; i < n; ++i) {
            storage_.keys[ranks[i]] = keys[i];
            if constexpr (!std::is_same_v<V, NullType>) {
                storage_.values[ranks[i]] = values[i];
            }
        }
        __syncthreads(site);
        for (int i = 0; i < n; ++i) {
            int const from = item_index<x * y * z, n, to_striped>(i);
            keys[i] = storage_.keys[from];
            if constexpr (!std::is_same_v<V, NullType>) {
                values[i] = storage_.values[from];
            }
        }
    }

    TempStorage& storage_;
};

}  // namespace cub
