#pragma once
// Shuffles of values of any trivially copyable type, word by word, for cooperative groups and warp-wide algorithms.

#include <type_traits>

#include "harness/simt/cuda_api/barriers.hpp"
#include "harness/simt/cuda_api/integer_intrinsics.hpp"
#include "harness/simt/cuda_api/warp.hpp"

namespace lockstep::simt::cuda {

// The value of lane `source` of the warp. Every lane of the mask must call it.
template <class T>
T from_lane(unsigned mask, T const& value, int source, Site site) {
    if constexpr (Exchangeable<T> && sizeof(T) >= 4) {
        return static_cast<T>(__shfl_sync(mask, value, source, 32, site));
    } else {
        static_assert(std::is_trivially_copyable_v<T>);
        unsigned words[(sizeof(T) + 3) / 4] = {};
        __builtin_memcpy(words, static_cast<void const*>(&value), sizeof(T));
        for (unsigned& word : words) {
            word = __shfl_sync(mask, word, source, 32, site);
        }
        T result;
        __builtin_memcpy(static_cast<void*>(&result), words, sizeof(T));
        return result;
    }
}

}  // namespace lockstep::simt::cuda
