#pragma once
// Sums, scans and ranks over the lanes of a warp or of a team. A team is a power of two of consecutive lanes within a
// warp. Every lane of the warp must call the functions that exchange values; none of them orders memory accesses.
// Freestanding: NVRTC compiles it without an include path.

#include "harness/simt/kernel.hpp"

namespace lockstep::simt::LOCKSTEP_MACHINE {

// The mask of the lanes below `lane`.
__device__ inline unsigned lanes_below(unsigned lane) { return (1u << lane) - 1; }

// The number of set bits of `lanes`, the result of a ballot, below `lane`. A compaction stores the lane's item there.
__device__ inline unsigned rank_in(unsigned lanes, unsigned lane) {
    return static_cast<unsigned>(__popc(lanes & lanes_below(lane)));
}
__device__ inline unsigned rank_in(unsigned lanes) { return rank_in(lanes, lane_id()); }

// The sum over each team of `lanes` lanes, returned to all of them: one REDUX instruction for a warp, else a butterfly.
template <unsigned lanes>
__device__ inline unsigned team_sum(unsigned value) {
    static_assert(lanes != 0 && lanes <= warp_size && (lanes & (lanes - 1)) == 0);
    if constexpr (lanes == warp_size) {
        return __reduce_add_sync(full_warp, value);
    } else {
#pragma unroll
        for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
            value += __shfl_xor_sync(full_warp, value, static_cast<int>(distance));
        return value;
    }
}

// The value of lane `lane_id() ^ distance`, shuffled in two halves: a 64-bit sum takes fewer instructions this way than
// with CUDA's own shuffle of 64 bits (nvcc 13.0).
__device__ inline unsigned long long shuffle_xor(unsigned long long value, unsigned distance) {
    unsigned const low = __shfl_xor_sync(full_warp, static_cast<unsigned>(value), distance);
    unsigned const high = __shfl_xor_sync(full_warp, static_cast<unsigned>(value >> 32), distance);
    return static_cast<unsigned long long>(high) << 32 | low;
}

// The sum over the warp, returned to all lanes.
__device__ inline unsigned warp_sum(unsigned value) { return team_sum<warp_size>(value); }
__device__ inline unsigned long long warp_sum(unsigned long long value) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        value += shuffle_xor(value, distance);
    return value;
}

// The sum over the warp, returned to lane 0. The other lanes get partial sums.
template <class Word>
__device__ inline Word first_lane_sum(Word value) {
    for (unsigned distance = warp_size / 2; distance != 0; distance /= 2)
        value += __shfl_down_sync(full_warp, value, distance);
    return value;
}

// The sum over the lanes up to and including the calling lane.
template <class Word>
__device__ inline Word inclusive_sum(Word value) {
    for (unsigned distance = 1; distance < warp_size; distance *= 2) {
        Word const below = __shfl_up_sync(full_warp, value, distance);
        value += lane_id() >= distance ? below : 0;
    }
    return value;
}

// The same for one word, in two instructions per step instead of three: a shuffle's predicate, which CUDA C++ does not
// return, says whether the other lane exists.
#if defined(__CUDACC__) && !defined(LOCKSTEP_EMULATOR)  // `lockstep emulate` has no PTX
__device__ inline unsigned inclusive_word_sum(unsigned value) {
#pragma unroll
    for (unsigned distance = 1; distance < warp_size; distance *= 2) {
        asm volatile(
            "{\n\t.reg .pred exists;\n\t.reg .u32 below;\n\t"
            "shfl.sync.up.b32 below|exists, %0, %1, 0, 0xFFFFFFFF;\n\t@exists add.u32 %0, %0, below;\n\t}"
            : "+r"(value)
            : "r"(distance));
    }
    return value;
}
#else
__device__ inline unsigned inclusive_word_sum(unsigned value) { return inclusive_sum(value); }
#endif

// The result of a scan: the composition of the values of the team's earlier lanes, and that of all its lanes.
template <class T>
struct Scanned {
    T before;
    T all;
};

// A scan over teams of `width` lanes, for values of several words and an associative operation that need not commute.
// `exchange(value, shuffle)` returns the value with `shuffle` applied to each of its words. `compose(earlier, later)`
// joins the values of lower and of higher lanes. `identity` is what the first lane of a team gets as `before`.
template <class T, class Exchange, class Compose>
__device__ inline Scanned<T> exclusive_scan(T value, unsigned width, T const& identity, Exchange const& exchange,
                                            Compose const& compose) {
    unsigned const lane = lane_id();
    unsigned const rank = lane % width;
    for (unsigned distance = 1; distance < width; distance *= 2) {
        T const lower = exchange(value, [&](auto word) { return __shfl_up_sync(full_warp, word, distance); });
        if (rank >= distance)
            value = compose(lower, value);
    }
    T const before = exchange(value, [&](auto word) { return __shfl_up_sync(full_warp, word, 1u); });
    T const all = exchange(
        value, [&](auto word) { return __shfl_sync(full_warp, word, static_cast<int>(lane - rank + width - 1)); });
    return {rank == 0 ? identity : before, all};
}

// The sum over each team of `width` lanes, returned to all of them, for values of several words. `add` must commute.
template <class T, class Exchange, class Add>
__device__ inline T team_reduce(T value, unsigned width, Exchange const& exchange, Add const& add) {
    for (unsigned distance = width / 2; distance > 0; distance /= 2) {
        value = add(value, exchange(value, [&](auto word) {
                        return __shfl_xor_sync(full_warp, word, static_cast<int>(distance));
                    }));
    }
    return value;
}

}  // namespace lockstep::simt::LOCKSTEP_MACHINE
