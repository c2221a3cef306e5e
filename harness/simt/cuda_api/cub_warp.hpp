#pragma once
// Warp-wide reductions, scans and exchanges with CUB's interface, over logical warps of 1 to 32 lanes.

#include "harness/simt/cuda_api/cub_common.hpp"

namespace cub {

namespace details {

// The logical warp of the caller: `width` consecutive lanes, of which the last warp of a block may have fewer.
template <int width>
struct LogicalWarp {
    unsigned lane = thread_rank() % 32;
    unsigned rank = thread_rank() % width;
    unsigned size;
    unsigned mask;

    LogicalWarp() {
        unsigned const first = thread_rank() / width * width;
        unsigned const rest = block_size() - first;
        size = rest < width ? rest : width;
        mask = (~0u >> (32 - size)) << (first % 32);
    }

    template <class T>
    T from(T const& value, unsigned source, Site site) const {
        int const other = static_cast<int>(lane - rank + source);
        if constexpr (std::is_trivially_copyable_v<T>) {
            return lockstep::simt::cuda::from_lane(mask, value, other, site);
        } else {  // by its bytes, as in CUB
            struct alignas(T) Bytes {
                unsigned char of[sizeof(T)];
            };
            Bytes bytes;
            __builtin_memcpy(&bytes, static_cast<void const*>(&value), sizeof(T));
            bytes = lockstep::simt::cuda::from_lane(mask, bytes, other, site);
            T result(value);
            __builtin_memcpy(static_cast<void*>(&result), &bytes, sizeof(T));
            return result;
        }
    }
};

}  // namespace details

template <class T, int width = 32, int = 0>
class WarpReduce {
public:
    struct TempStorage {};

    explicit WarpReduce(TempStorage&) {}

    // The result is the first lane's.
    template <class Op>
    T Reduce(T value, Op op, int valid = width, Site site = Site::current()) {
        details::LogicalWarp<width> const warp;
        unsigned const limit = valid < static_cast<int>(warp.size) ? static_cast<unsigned>(valid) : warp.size;
        for (unsigned distance = 1; distance < width; distance *= 2) {
            unsigned const source = warp.rank + distance;
            T const other = warp.from(value, source < warp.size ? source : warp.rank, site);
            if (warp.rank % (2 * distance) == 0 && source < limit) {
                value = op(value, other);
            }
        }
        return value;
    }
    T Sum(T value, int valid = width, Site site = Site::current()) { return Reduce(value, cub::Sum(), valid, site); }
};

template <class T, int width = 32, int = 0>
class WarpScan {
public:
    struct TempStorage {};

    explicit WarpScan(TempStorage&) {}

    template <class Op>
    void InclusiveScan(T input, T& output, Op op, Site site = Site::current()) {
        details::LogicalWarp<width> const warp;
        T value = input;
        for (unsigned distance = 1; distance < width; distance *= 2) {
            T const below = warp.from(value, warp.rank < distance ? warp.rank : warp.rank - distance, site);
            if (warp.rank >= distance) {
                value = op(below, value);
            }
        }
        output = value;
    }
    template <class Op>
    void InclusiveScan(T input, T& output, Op op, T& total, Site site = Site::current()) {
        InclusiveScan(input, output, op, site);
        total = last(output, site);
    }
    template <class Op>
    void ExclusiveScan(T input, T& output, T initial, Op op, Site site = Site::current()) {
        details::LogicalWarp<width> const warp;
        T inclusive;
        InclusiveScan(input, inclusive, op, site);
        T const below = warp.from(inclusive, warp.rank == 0 ? 0 : warp.rank - 1, site);
        output = warp.rank == 0 ? initial : op(initial, below);
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
        ExclusiveSum(input, output, site);
        total = last(static_cast<T>(output + input), site);
    }
    T Broadcast(T value, unsigned source, Site site = Site::current()) {
        return details::LogicalWarp<width>().from(value, source, site);
    }

private:
    static T last(T value, Site site) {
        details::LogicalWarp<width> const warp;
        return warp.from(value, warp.size - 1, site);
    }
};

}  // namespace cub
