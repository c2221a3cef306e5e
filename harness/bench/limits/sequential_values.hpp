#pragma once
// 16-byte values that a kernel stores in sequence and the host recomputes. Shared by the limits of device memory and of
// the L2 cache.

#include <string>
#include <vector>

#include "harness/bench/limits/limit.hpp"
#include "harness/simt/buffer.hpp"

namespace lockstep::limits::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

__host__ __device__ inline uint4 stream_value(unsigned index, unsigned seed) {
    return make_uint4(index * 0x9E3779B1u + seed, index ^ seed, ~index, index * 0x85EBCA77u);
}

__host__ __device__ inline unsigned fold(uint4 value) { return value.x ^ value.y ^ value.z ^ value.w; }

// Compares `count` values from index `first` on with the formula, and describes the first difference.
inline std::string check_stream_values(Buffer<uint4> const& values, std::uint64_t first, std::uint64_t count,
                                       unsigned seed) {
    std::vector<uint4> part(count);
    values.download(part, first);
    for (std::uint64_t i = 0; i < count; ++i) {
        uint4 const expected = stream_value(static_cast<unsigned>(first + i), seed);
        if (part[i].x != expected.x || part[i].y != expected.y || part[i].z != expected.z || part[i].w != expected.w) {
            return difference("16-byte value", first + i, fold(part[i]), fold(expected));
        }
    }
    return {};
}

}  // namespace lockstep::limits::LOCKSTEP_MACHINE
