#pragma once
// Threads' arrays of n items with CUB's interface: loads and stores, exchanges between the arrangements, differences of
// neighbours. Blocked: thread t has items t * n to t * n + n - 1. Striped: item i of thread t is item i * threads + t.

#include <algorithm>

#include "harness/simt/cuda_api/cub_block.hpp"

namespace cub {

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

template <int threads, class T, class It, int n>
void LoadDirectStriped(int rank, It from, T (&items)[n]) {
    for (int i = 0; i < n; ++i) {
        items[i] = from[rank + i * threads];
    }
}
template <int threads, class T, class It, int n>
void StoreDirectStriped(int rank, It to, T (&items)[n]) {
    for (int i = 0; i < n; ++i) {
        to[rank + i * threads] = items[i];
    }
}
template <class T, class It, int n>
void LoadDirectBlocked(int rank, It from, T (&items)[n]) {
    for (int i = 0; i < n; ++i) {
        items[i] = from[rank * n + i];
    }
}
template <class T, class It, int n>
void StoreDirectBlocked(int rank, It to, T (&items)[n]) {
    for (int i = 0; i < n; ++i) {
        to[rank * n + i] = items[i];
    }
}

// Where item i of the caller is, in one of the two arrangements.
template <int threads, int n, bool is_striped>
int item_index(int i) {
    int const rank = static_cast<int>(details::thread_rank());
    return is_striped ? i * threads + rank : rank * n + i;
}

template <class T, int x, int n, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int y = 1, int z = 1, int = 0>
class BlockLoad {
public:
    struct TempStorage {};

    BlockLoad() = default;
    explicit BlockLoad(TempStorage&) {}

    template <class It>
    void Load(It from, T (&items)[n]) {
        Load(from, items, x * y * z * n);
    }
    // Items from the `valid`-th on are left as they are.
    template <class It>
    void Load(It from, T (&items)[n], int valid) {
        for (int i = 0; i < n; ++i) {
            int const index = item_index<x * y * z, n, algorithm == BLOCK_LOAD_STRIPED>(i);
            if (index < valid) {
                items[i] = from[index];
            }
        }
    }
    template <class It, class Default>
    void Load(It from, T (&items)[n], int valid, Default otherwise) {
        std::fill_n(items, n, static_cast<T>(otherwise));
        Load(from, items, valid);
    }
};

template <class T, int x, int n, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int y = 1, int z = 1, int = 0>
class BlockStore {
public:
    struct TempStorage {};

    BlockStore() = default;
    explicit BlockStore(TempStorage&) {}

    template <class It>
    void Store(It to, T (&items)[n], int valid = x * y * z * n) {
        for (int i = 0; i < n; ++i) {
            int const index = item_index<x * y * z, n, algorithm == BLOCK_STORE_STRIPED>(i);
            if (index < valid) {
                to[index] = items[i];
            }
        }
    }
};

template <class T, int x, int n, bool = false, int y = 1, int z = 1, int = 0>
class BlockExchange {
public:
    struct TempStorage {
        T values[x * y * z * n];
    };

    explicit BlockExchange(TempStorage& storage) : storage_(storage) {}

    template <class U>
    void StripedToBlocked(T (&in)[n], U (&out)[n], Site site = Site::current()) {
        exchange<true, false>(in, out, site);
    }
    template <class U>
    void BlockedToStriped(T (&in)[n], U (&out)[n], Site site = Site::current()) {
        exchange<false, true>(in, out, site);
    }
    void StripedToBlocked(T (&items)[n], Site site = Site::current()) { StripedToBlocked(items, items, site); }
    void BlockedToStriped(T (&items)[n], Site site = Site::current()) { BlockedToStriped(items, items, site); }

private:
    template <bool from_striped, bool to_striped, class U>
    void exchange(T (&in)[n], U (&out)[n], Site site) {
        for (int i = 0; i < n; ++i) {
            storage_.values[item_index<x * y * z, n, from_striped>(i)] = in[i];
        }
        __syncthreads(site);
        for (int i = 0; i < n; ++i) {
            out[i] = storage_.values[item_index<x * y * z, n, to_striped>(i)];
        }
    }

    TempStorage& storage_;
};

template <class T, int n, int width = 32, int = 0>
class WarpExchange {
public:
    struct TempStorage {
        T values[width * n];
    };

    explicit WarpExchange(TempStorage& storage) : storage_(storage) {}

    template <class U>
    void StripedToBlocked(T const (&in)[n], U (&out)[n], Site site = Site::current()) {
        unsigned const lane = details::thread_rank() % width;
        for (int i = 0; i < n; ++i) {
            storage_.values[i * width + lane] = in[i];
        }
        __syncwarp(lanes(), site);
        for (int i = 0; i < n; ++i) {
            out[i] = storage_.values[lane * n + i];
        }
    }
    template <class U>
    void BlockedToStriped(T const (&in)[n], U (&out)[n], Site site = Site::current()) {
        unsigned const lane = details::thread_rank() % width;
        for (int i = 0; i < n; ++i) {
            storage_.values[lane * n + i] = in[i];
        }
        __syncwarp(lanes(), site);
        for (int i = 0; i < n; ++i) {
            out[i] = storage_.values[i * width + lane];
        }
    }

private:
    static unsigned lanes() { return (~0u >> (32 - width)) << (details::thread_rank() % 32 / width * width); }

    TempStorage& storage_;
};

template <class T, int x, int y = 1, int z = 1, int = 0>
class BlockAdjacentDifference {
public:
    struct TempStorage {
        T values[x * y * z];
    };

    explicit BlockAdjacentDifference(TempStorage& storage) : storage_(storage) {}

    // difference(item, the item before it); the first item of the block stays.
    template <int n, class U, class Op>
    void SubtractLeft(T (&in)[n], U (&out)[n], Op difference, Site site = Site::current()) {
        unsigned const rank = details::thread_rank();
        storage_.values[rank] = in[n - 1];
        __syncthreads(site);
        for (int i = n - 1; i > 0; --i) {
            out[i] = difference(in[i], in[i - 1]);
        }
        out[0] = rank == 0 ? in[0] : difference(in[0], storage_.values[rank - 1]);
    }
    // difference(item, the item behind it); the last item of the block stays.
    template <int n, class U, class Op>
    void SubtractRight(T (&in)[n], U (&out)[n], Op difference, Site site = Site::current()) {
        unsigned const rank = details::thread_rank();
        storage_.values[rank] = in[0];
        __syncthreads(site);
        for (int i = 0; i < n - 1; ++i) {
            out[i] = difference(in[i], in[i + 1]);
        }
        bool const is_last = rank + 1 == details::block_size();
        out[n - 1] = is_last ? in[n - 1] : difference(in[n - 1], storage_.values[rank + 1]);
    }

private:
    TempStorage& storage_;
};

}  // namespace cub
