#pragma once
// Block-wide reductions and scans with CUB's interface. Every thread of the block calls them. A reduction exchanges
// values in each warp, and the first thread joins those of the warps in their order, as CUB's default algorithm does.
// In a scan the first thread joins the values of all threads.

#include <algorithm>

#include "harness/simt/cuda_api/cub_common.hpp"
#include "harness/simt/cuda_api/cub_warp.hpp"

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1, int = 0>
class BlockReduce {
    static constexpr int warps = (x * y * z + 31) / 32;

public:
    // As CUB lays it out, so that neighbouring words are the same.
    struct TempStorage {
        unsigned char of_warps[warps];
        T warp_aggregates[warps];
        T block_prefix;
    };

    explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

    // The result is the first thread's. Only the first `valid` threads have a value.
    template <class Op>
    T Reduce(T value, Op op, int valid, Site site = Site::current()) {
        valid = std::min(valid, x * y * z);
        value = reduce_warps(value, op, valid, site);
        return details::thread_rank() == 0 ? combine_warps<1>(value, op, valid) : value;
    }
    template <class Op>
    T Reduce(T value, Op op, Site site = Site::current()) {
        value = reduce_warps(value, op, x * y * z, site);
        return details::thread_rank() == 0 ? combine_warps<1>(value, op) : value;
    }
    template <int n, class Op>
    T Reduce(T (&items)[n], Op op, Site site = Site::current()) {
        return Reduce(fold(items, op), op, site);
    }
    T Sum(T value, Site site = Site::current()) { return Reduce(value, cub::Sum(), site); }
    T Sum(T value, int valid, Site site = Site::current()) { return Reduce(value, cub::Sum(), valid, site); }
    template <int n>
    T Sum(T (&items)[n], Site site = Site::current()) {
        return Reduce(items, cub::Sum(), site);
    }

private:
    // No loops: CUB's are unrolled.
    template <int warp, class Op>
    T combine_warps(T value, Op op) const {
        if constexpr (warp < warps) {
            T const addend = storage_.warp_aggregates[warp];
            return combine_warps<warp + 1>(op(value, addend), op);
        } else {
            return value;
        }
    }
    template <int warp, class Op>
    T combine_warps(T value, Op op, int valid) const {
        if constexpr (warp < warps) {
            T const more = 32 * warp < valid ? op(value, storage_.warp_aggregates[warp]) : value;
            return combine_warps<warp + 1>(more, op, valid);
        } else {
            return value;
        }
    }

    // Leaves the aggregate of each warp in its first lane and in `warp_aggregates`.
    template <class Op>
    T reduce_warps(T value, Op op, int valid, Site site) {
        int const rank = static_cast<int>(details::thread_rank());
        typename WarpReduce<T>::TempStorage none;
        value = WarpReduce<T>(none).Reduce(value, op, std::clamp(valid - rank / 32 * 32, 0, 32), site);
        if (rank % 32 == 0) {
            if constexpr (std::is_trivially_copyable_v<T>) {
                __builtin_memcpy(&storage_.warp_aggregates[rank / 32], &value, sizeof(T));  // one access if it is small
            } else {
                storage_.warp_aggregates[rank / 32] = value;
            }
        }
        __syncthreads(site);
        return value;
    }

    TempStorage& storage_;
};

template <class T, int x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1, int = 0>
class BlockScan {
public:
    struct TempStorage {
        T values[x * y * z];
        T total;
    };

    explicit BlockScan(TempStorage& storage) : storage_(storage) {}

    template <class Op>
    void InclusiveScan(T input, T& output, Op op, T& total, Site site = Site::current()) {
        scan(input, op, site);
        output = storage_.values[details::thread_rank()];
        total = storage_.total;
    }
    template <class Op>
    void InclusiveScan(T input, T& output, Op op, Site site = Site::current()) {
        T total;
        InclusiveScan(input, output, op, total, site);
    }
    template <class Op>
    void ExclusiveScan(T input, T& output, T initial, Op op, T& total, Site site = Site::current()) {
        scan(input, op, site);
        unsigned const rank = details::thread_rank();
        output = rank == 0 ? initial : op(initial, storage_.values[rank - 1]);
        total = storage_.total;
    }
    template <class Op>
    void ExclusiveScan(T input, T& output, T initial, Op op, Site site = Site::current()) {
        T total;
        ExclusiveScan(input, output, initial, op, total, site);
    }
    // Without an initial value the first thread's result is not defined.
    template <class Op>
    requires std::is_invocable_v<Op, T, T>
    void ExclusiveScan(T input, T& output, Op op, Site site = Site::current()) {
        T total;
        ExclusiveScan(input, output, op, total, site);
    }
    template <class Op>
    requires std::is_invocable_v<Op, T, T>
    void ExclusiveScan(T input, T& output, Op op, T& total, Site site = Site::current()) {
        scan(input, op, site);
        unsigned const rank = details::thread_rank();
        output = storage_.values[rank == 0 ? 0 : rank - 1];
        total = storage_.total;
    }
    void InclusiveSum(T input, T& output, Site site = Site::current()) {
        InclusiveScan(input, output, cub::Sum(), site);
    }
    void InclusiveSum(T input, T& output, T& total, Site site = Site::current()) {
        InclusiveScan(input, output, cub::Sum(), total, site);
    }
    void ExclusiveSum(T input, T& output, Site site = Site::current()) {
        ExclusiveScan(input, output, T{}, cub::Sum(), site);
    }
    void ExclusiveSum(T input, T& output, T& total, Site site = Site::current()) {
        ExclusiveScan(input, output, T{}, cub::Sum(), total, site);
    }

    // Each thread has n consecutive values.
    template <int n, class Op>
    void InclusiveScan(T (&input)[n], T (&output)[n], Op op, Site site = Site::current()) {
        T total;
        InclusiveScan(input, output, op, total, site);
    }
    template <int n, class Op>
    void InclusiveScan(T (&input)[n], T (&output)[n], Op op, T& total, Site site = Site::current()) {
        scan(fold(input, op), op, site);
        unsigned const rank = details::thread_rank();
        T running = rank == 0 ? input[0] : op(storage_.values[rank - 1], input[0]);
        for (int i = 0; i < n; ++i) {
            running = i == 0 ? running : op(running, input[i]);
            output[i] = running;
        }
        total = storage_.total;
    }
    template <int n, class Op>
    void ExclusiveScan(T (&input)[n], T (&output)[n], T initial, Op op, T& total, Site site = Site::current()) {
        scan(fold(input, op), op, site);
        unsigned const rank = details::thread_rank();
        T running = rank == 0 ? initial : op(initial, storage_.values[rank - 1]);
        for (int i = 0; i < n; ++i) {
            T const value = input[i];  // may be the output
            output[i] = running;
            running = op(running, value);
        }
        total = storage_.total;
    }
    template <int n, class Op>
    void ExclusiveScan(T (&input)[n], T (&output)[n], T initial, Op op, Site site = Site::current()) {
        T total;
        ExclusiveScan(input, output, initial, op, total, site);
    }
    template <int n>
    void InclusiveSum(T (&input)[n], T (&output)[n], Site site = Site::current()) {
        InclusiveScan(input, output, cub::Sum(), site);
    }
    template <int n>
    void InclusiveSum(T (&input)[n], T (&output)[n], T& total, Site site = Site::current()) {
        InclusiveScan(input, output, cub::Sum(), total, site);
    }
    template <int n>
    void ExclusiveSum(T (&input)[n], T (&output)[n], Site site = Site::current()) {
        ExclusiveScan(input, output, T{}, cub::Sum(), site);
    }
    template <int n>
    void ExclusiveSum(T (&input)[n], T (&output)[n], T& total, Site site = Site::current()) {
        ExclusiveScan(input, output, T{}, cub::Sum(), total, site);
    }

    // Before all values comes what prefix(total) returns to the first thread.
    template <class Prefix>
    void ExclusiveSum(T input, T& output, Prefix& prefix, Site site = Site::current()) {
        T total;
        ExclusiveSum(input, output, total, site);
        output = from_prefix(prefix, total, site) + output;
    }
    template <class Prefix>
    void InclusiveSum(T input, T& output, Prefix& prefix, Site site = Site::current()) {
        T total;
        InclusiveSum(input, output, total, site);
        output = from_prefix(prefix, total, site) + output;
    }
    template <int n, class Op, class Prefix>
    requires(!std::is_same_v<Prefix, T>) void InclusiveScan(T (&input)[n], T (&output)[n], Op op, Prefix& prefix,
                                                            Site site = Site::current()) {
        T total;
        InclusiveScan(input, output, op, total, site);
        T const before = from_prefix(prefix, total, site);
        for (T& value : output) {
            value = op(before, value);
        }
    }
    template <int n, class Prefix>
    requires(!std::is_same_v<Prefix, T>) void ExclusiveSum(T (&input)[n], T (&output)[n], Prefix& prefix,
                                                           Site site = Site::current()) {
        T total;
        ExclusiveSum(input, output, total, site);
        T const before = from_prefix(prefix, total, site);
        for (T& value : output) {
            value = before + value;
        }
    }

private:
    // Leaves the inclusive scan in `values`.
    template <class Op>
    void scan(T input, Op op, Site site) {
        unsigned const rank = details::thread_rank();
        storage_.values[rank] = input;
        __syncthreads(site);
        if (rank == 0) {
            for (int i = 1; i < x * y * z; ++i) {
                storage_.values[i] = op(storage_.values[i - 1], storage_.values[i]);
            }
            storage_.total = storage_.values[x * y * z - 1];
        }
        __syncthreads(site);
    }
    template <class Prefix>
    T from_prefix(Prefix& prefix, T total, Site site) {
        __syncthreads(site);  // all threads have read the total
        if (details::thread_rank() < 32) {
            T const before = prefix(total);
            if (details::thread_rank() == 0) {
                storage_.total = before;
            }
        }
        __syncthreads(site);
        return storage_.total;
    }

    TempStorage& storage_;
};

}  // namespace cub
