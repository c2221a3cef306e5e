#pragma once
// Barriers, votes, shuffles, matches and reductions in the emulator, with CUDA's names and semantics. Explicit masks
// only.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/emulator/source_location.hpp"

namespace lockstep::simt::emulator {

template <class T>
concept ShuffleWord = std::is_arithmetic_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

// Returns a value's bits; integers are sign-extended, so that one signed comparison orders signed and unsigned 32-bit
// values correctly.
template <class T>
std::uint64_t to_bits(T value) {
    if constexpr (std::is_floating_point_v<T> && sizeof(T) == 4) {
        return std::bit_cast<std::uint32_t>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return std::bit_cast<std::uint64_t>(value);
    } else {
        return static_cast<std::uint64_t>(value);
    }
}

template <class T>
T from_bits(std::uint64_t bits) {
    if constexpr (std::is_floating_point_v<T> && sizeof(T) == 4) {
        return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
    } else if constexpr (std::is_floating_point_v<T>) {
        return std::bit_cast<T>(bits);
    } else {
        return static_cast<T>(bits);
    }
}

template <class T>
T collective(Collective kind, unsigned mask, T value, unsigned argument, int width, std::source_location site) {
    return from_bits<T>(warp_collective(kind, mask, to_bits(value), argument, static_cast<unsigned>(width), site));
}

}  // namespace lockstep::simt::emulator

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
#define LOCKSTEP_SITE std::source_location site = std::source_location::current()

inline void __syncthreads(LOCKSTEP_SITE) {
    lockstep::simt::emulator::block_barrier(lockstep::simt::emulator::Barrier::plain, 0, site);
}
inline int __syncthreads_count(int predicate, LOCKSTEP_SITE) {
    return lockstep::simt::emulator::block_barrier(lockstep::simt::emulator::Barrier::count, predicate, site);
}
inline int __syncthreads_and(int predicate, LOCKSTEP_SITE) {
    return lockstep::simt::emulator::block_barrier(lockstep::simt::emulator::Barrier::all, predicate, site);
}
inline int __syncthreads_or(int predicate, LOCKSTEP_SITE) {
    return lockstep::simt::emulator::block_barrier(lockstep::simt::emulator::Barrier::any, predicate, site);
}

inline void __syncwarp(unsigned mask = 0xFFFFFFFFu, LOCKSTEP_SITE) {
    lockstep::simt::emulator::warp_collective(lockstep::simt::emulator::Collective::sync_warp, mask, 0, 0, 32, site);
}
inline unsigned __ballot_sync(unsigned mask, int predicate, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return static_cast<unsigned>(warp_collective(Collective::ballot, mask, predicate != 0, 0, 32, site));
}
inline int __any_sync(unsigned mask, int predicate, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return static_cast<int>(warp_collective(Collective::any, mask, predicate != 0, 0, 32, site));
}
inline int __all_sync(unsigned mask, int predicate, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return static_cast<int>(warp_collective(Collective::all, mask, predicate != 0, 0, 32, site));
}

template <lockstep::simt::emulator::ShuffleWord T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::shuffle, mask, value, static_cast<unsigned>(source), width, site);
}
template <lockstep::simt::emulator::ShuffleWord T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::shuffle_up, mask, value, distance, width, site);
}
template <lockstep::simt::emulator::ShuffleWord T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::shuffle_down, mask, value, distance, width, site);
}
template <lockstep::simt::emulator::ShuffleWord T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::shuffle_xor, mask, value, static_cast<unsigned>(lane_mask), width, site);
}

template <lockstep::simt::emulator::ShuffleWord T>
unsigned __match_any_sync(unsigned mask, T value, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return static_cast<unsigned>(warp_collective(Collective::match_any, mask, to_bits(value), 0, 32, site));
}
template <lockstep::simt::emulator::ShuffleWord T>
unsigned __match_all_sync(unsigned mask, T value, int* all_equal, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    unsigned const lanes =
        static_cast<unsigned>(warp_collective(Collective::match_all, mask, to_bits(value), 0, 32, site));
    *all_equal = lanes != 0;
    return lanes;
}

inline int __reduce_add_sync(unsigned mask, int value, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::reduce_add, mask, value, 0, 32, site);
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned value, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::reduce_add, mask, value, 0, 32, site);
}
inline int __reduce_min_sync(unsigned mask, int value, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::reduce_min, mask, value, 0, 32, site);
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned value, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::reduce_min, mask, value, 0, 32, site);
}
inline int __reduce_max_sync(unsigned mask, int value, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::reduce_max, mask, value, 0, 32, site);
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned value, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::reduce_max, mask, value, 0, 32, site);
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::reduce_and, mask, value, 0, 32, site);
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::reduce_or, mask, value, 0, 32, site);
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value, LOCKSTEP_SITE) {
    using namespace lockstep::simt::emulator;
    return collective(Collective::reduce_xor, mask, value, 0, 32, site);
}

inline void __nanosleep(unsigned) { lockstep::simt::emulator::yield_lane(true); }

#undef LOCKSTEP_SITE
// NOLINTEND(bugprone-reserved-identifier)
