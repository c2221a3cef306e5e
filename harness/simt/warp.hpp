#pragma once
// Sums, scans and ranks over the lanes of a warp, and over teams of lanes: a power of two of consecutive lanes that
// divides the warp. Every lane of the warp calls what communicates. No order of memory follows from a call.
// Freestanding, so that NVRTC reads it without an include path.

#include "harness/simt/kernel.hpp"

namespace lockstep::simt::LOCKSTEP_MACHINE {

// The lanes below `lane`, as a mask.
__device__ inline unsigned lanes_below(unsigned lane) { return (1u << lane) - 1; }

// How many of `lanes` (a ballot's answer) are below `lane`: where the lane's item goes if the ballot's items are
// packed.
__device__ inline unsigned rank_in(unsigned lanes, unsigned lane) {
    return static_cast<unsigned>(__popc(lanes & lanes_below(lane)));
}
__device__ inline unsigned rank_in(unsigned lanes) { return rank_in(lanes, lane_id()); }

// The sum over each team of `lanes` lanes, in all of its lanes: one instruction (REDUX) for a warp, else a butterfly.
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

// What the lane at `distance` (an exclusive or of lane numbers) has, in two halves: fewer instructions than CUDA's
// shuffle of 64 bits where the sum that follows is one of 64 bits.
__device__ inline unsigned long long shuffle_xor(unsigned long long value, unsigned distance) {
    unsigned const low = __shfl_xor_sync(full_warp, static_cast<unsigned>(value), distance);
    unsigned const high = __shfl_xor_sync(full_warp, static_cast<unsigned>(value >> 32), distance);
    return static_cast<unsigned long long>(high) << 32 | low;
}

// The sum over the warp, in all lanes.
__device__ inline unsigned warp_sum(unsigned value) { return team_sum<warp_size>(value); }
__device__ inline unsigned long long warp_sum(unsigned long long value) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        value += shuffle_xor(value, distance);
    return value;
}

// The sum over the warp, in lane 0; what the other lanes get is no sum of the warp.
template <class Word>
__device__ inline Word first_lane_sum(Word value) {
    for (unsigned distance = warp_size / 2; distance != 0; distance /= 2)
        value += __shfl_down_sync(full_warp, value, distance);
    return value;
}

// The sum over the lanes up to and with the calling one.
template <class Word>
__device__ inline Word inclusive_sum(Word value) {
    for (unsigned distance = 1; distance < warp_size; distance *= 2) {
        Word const below = __shfl_up_sync(full_warp, value, distance);
        value += lane_id() >= distance ? below : 0;
    }
    return value;
}

// What a scan over a team gives: what its lanes before the calling one have, and what all of them have.
template <class T>
struct Scanned {
    T before;
    T all;
};

// A scan for values of several words and any associative operation, commutative or not, over teams of `width` lanes.
// `exchange(value, shuffle)` gives the value with each of its words sent through `shuffle`; `compose(earlier, later)`
// joins what lower lanes have to what higher lanes have; `identity` is what a team's first lane has before it.
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

// The sum over each team of `width` lanes, in all of its lanes, for values of several words; `add` commutes.
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
