#pragma once
// Warp votes, matches, reductions and shuffles, for every type for which CUDA declares them: integers and
// floating-point numbers of 4 and 8 bytes. Shorter integers, bool and enumerations convert to int, as in a call of a
// CUDA overload.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "harness/simt/cuda_api/site.hpp"
#include "harness/simt/emulator/runtime.hpp"

namespace lockstep::simt::cuda {

using emulator::Collective;
using emulator::warp_collective;

// The type as which a value is exchanged.
template <class T>
struct Exchanged {
    using type = decltype(+T{});
};
template <class T>
requires std::is_enum_v<T>
struct Exchanged<T> {
    using type = decltype(+std::underlying_type_t<T>{});
};
template <class T>
using exchanged_t = typename Exchanged<T>::type;
template <class T>
concept Exchangeable = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// Integers are sign-extended, so that one signed comparison orders signed and unsigned 32-bit values correctly.
template <class T>
std::uint64_t bits_of(T value) {
    if constexpr (std::is_same_v<T, float>) {
        return std::bit_cast<std::uint32_t>(value);
    } else if constexpr (std::is_same_v<T, double>) {
        return std::bit_cast<std::uint64_t>(value);
    } else {
        return static_cast<std::uint64_t>(value);
    }
}
template <class T>
T value_of(std::uint64_t bits) {
    if constexpr (std::is_same_v<T, float>) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    } else if constexpr (std::is_same_v<T, double>) {
        return std::bit_cast<double>(bits);
    } else {
        return static_cast<T>(bits);
    }
}

template <class T>
exchanged_t<T> exchange(Collective kind, unsigned mask, T value, unsigned argument, int width, Site site) {
    using E = exchanged_t<T>;
    return value_of<E>(
        warp_collective(kind, mask, bits_of(static_cast<E>(value)), argument, static_cast<unsigned>(width), site));
}

template <class T>
T reduce(Collective kind, unsigned mask, T value, Site site) {
    return value_of<T>(warp_collective(kind, mask, bits_of(value), 0, 32, site));
}

}  // namespace lockstep::simt::cuda

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
inline unsigned __ballot_sync(unsigned mask, int predicate, LOCKSTEP_HERE) {
    using namespace lockstep::simt::cuda;
    return static_cast<unsigned>(warp_collective(Collective::ballot, mask, predicate != 0, 0, 32, site));
}
inline int __any_sync(unsigned mask, int predicate, LOCKSTEP_HERE) {
    using namespace lockstep::simt::cuda;
    return static_cast<int>(warp_collective(Collective::any, mask, predicate != 0, 0, 32, site));
}
inline int __all_sync(unsigned mask, int predicate, LOCKSTEP_HERE) {
    using namespace lockstep::simt::cuda;
    return static_cast<int>(warp_collective(Collective::all, mask, predicate != 0, 0, 32, site));
}

template <lockstep::simt::cuda::Exchangeable T>
auto __shfl_sync(unsigned mask, T value, int source, int width = 32, LOCKSTEP_HERE) {
    using namespace lockstep::simt::cuda;
    return exchange(Collective::shuffle, mask, value, static_cast<unsigned>(source), width, site);
}
template <lockstep::simt::cuda::Exchangeable T>
auto __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32, LOCKSTEP_HERE) {
    using namespace lockstep::simt::cuda;
    return exchange(Collective::shuffle_up, mask, value, distance, width, site);
}
template <lockstep::simt::cuda::Exchangeable T>
auto __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32, LOCKSTEP_HERE) {
    using namespace lockstep::simt::cuda;
    return exchange(Collective::shuffle_down, mask, value, distance, width, site);
}
template <lockstep::simt::cuda::Exchangeable T>
auto __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, LOCKSTEP_HERE) {
    using namespace lockstep::simt::cuda;
    return exchange(Collective::shuffle_xor, mask, value, static_cast<unsigned>(lane_mask), width, site);
}

template <lockstep::simt::cuda::Exchangeable T>
unsigned __match_any_sync(unsigned mask, T value, LOCKSTEP_HERE) {
    using namespace lockstep::simt::cuda;
    auto const bits = bits_of(static_cast<exchanged_t<T>>(value));
    return static_cast<unsigned>(warp_collective(Collective::match_any, mask, bits, 0, 32, site));
}
template <lockstep::simt::cuda::Exchangeable T>
unsigned __match_all_sync(unsigned mask, T value, int* all_equal, LOCKSTEP_HERE) {
    using namespace lockstep::simt::cuda;
    auto const bits = bits_of(static_cast<exchanged_t<T>>(value));
    auto const lanes = static_cast<unsigned>(warp_collective(Collective::match_all, mask, bits, 0, 32, site));
    *all_equal = lanes != 0;
    return lanes;
}

#define LOCKSTEP_REDUCE(name, kind, T)                                                                  \
    inline T __reduce_##name##_sync(unsigned mask, T value, LOCKSTEP_HERE) {                            \
        return lockstep::simt::cuda::reduce(lockstep::simt::cuda::Collective::kind, mask, value, site); \
    }
LOCKSTEP_REDUCE(add, reduce_add, int)
LOCKSTEP_REDUCE(add, reduce_add, unsigned)
LOCKSTEP_REDUCE(min, reduce_min, int)
LOCKSTEP_REDUCE(min, reduce_min, unsigned)
LOCKSTEP_REDUCE(max, reduce_max, int)
LOCKSTEP_REDUCE(max, reduce_max, unsigned)
LOCKSTEP_REDUCE(and, reduce_and, unsigned)
LOCKSTEP_REDUCE(or, reduce_or, unsigned)
LOCKSTEP_REDUCE(xor, reduce_xor, unsigned)
#undef LOCKSTEP_REDUCE
// NOLINTEND(bugprone-reserved-identifier)
