#pragma once
// The free memory of this machine, in bytes, which limits the size of an object graph. Include it in `.cu` files.

#include <cstdint>
#include <limits>

#include "harness/simt/kernel.hpp"
#if defined(__CUDACC__)
#include "harness/simt/cuda/check.hpp"
#endif

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

inline std::uint64_t free_memory() {
#if defined(__CUDACC__)
    std::size_t free = 0;
    std::size_t all = 0;
    simt::cuda::check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
    return free;
#else
    return std::numeric_limits<std::uint64_t>::max();
#endif
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
