#pragma once
// product_checksum (states.hpp) for several values at a time, one in each lane of the CPU's vectors. The CPU contender
// evaluates enabled values with it.

#include <bit>
#include <cmath>
#include <cstdint>

namespace lockstep::rule_interpreter {

inline constexpr unsigned product_lanes = 16;

// One matrix element of all lanes.
struct alignas(64) LaneFloats {
    float lane[product_lanes];
};

// result = x * y + z in every lane, rounded once.
inline void fused(LaneFloats& result, LaneFloats const& x, LaneFloats const& y, LaneFloats const& z) {
    for (unsigned l = 0; l < product_lanes; ++l)
        result.lane[l] = __builtin_fmaf(x.lane[l], y.lane[l], z.lane[l]);
}

inline void multiplied(LaneFloats& result, LaneFloats const& x, LaneFloats const& y) {
    for (unsigned l = 0; l < product_lanes; ++l)
        result.lane[l] = x.lane[l] * y.lane[l];
}

template <unsigned n>
inline void product_step(LaneFloats const (&a)[n][n], LaneFloats (&b)[n][n]) {
    for (unsigned column = 0; column < n; ++column) {
        LaneFloats sum[n];
        for (unsigned row = 0; row < n; ++row) {
            multiplied(sum[row], a[row][0], b[0][column]);
            for (unsigned k = 1; k < n; ++k)
                fused(sum[row], a[row][k], b[k][column], sum[row]);
        }
        for (unsigned row = 0; row < n; ++row)
            b[row][column] = sum[row];
    }
}

// A and B of each lane, as in the reference.
template <unsigned n>
inline void make_matrices(LaneFloats const& start, LaneFloats (&a)[n][n], LaneFloats (&b)[n][n]) {
    float const elements = static_cast<float>(n * n);
    for (unsigned l = 0; l < product_lanes; ++l) {
        float const small = start.lane[l] * 0x1p-12f;
        for (unsigned row = 0; row < n; ++row) {
            unsigned const large = (row + 1) % n;
            float rest = 1.0f;
            for (unsigned column = 0; column < n; ++column) {
                float const index = static_cast<float>(row * n + column);
                b[row][column].lane[l] = __builtin_fmaf(start.lane[l], (index + 1.0f) / elements, 0.5f);
                if (column == large)
                    continue;
                a[row][column].lane[l] = small * (1.0f + index / (2.0f * elements));
                rest -= a[row][column].lane[l];
            }
            a[row][large].lane[l] = rest;
        }
    }
}

// Computes checksums[l] of values[l] at instances[l].
template <unsigned n>
inline void checksum_lanes(std::uint32_t const* values, std::uint32_t const* instances, unsigned load,
                           std::uint32_t* checksums) {
    LaneFloats start;
    for (unsigned l = 0; l < product_lanes; ++l) {
        std::uint32_t word = values[l] * 0x9E3779B1u + instances[l] * 0x85EBCA6Bu;
        word ^= word >> 15;
        start.lane[l] = std::bit_cast<float>(0x3F800000u | word >> 9);
    }
    LaneFloats checksum{};
    if constexpr (n == 1) {
        LaneFloats a, one;
        checksum = start;
        for (unsigned l = 0; l < product_lanes; ++l) {
            a.lane[l] = start.lane[l] * 0x1p-12f - 1.0f;
            one.lane[l] = 1.0f;
        }
        for (unsigned step = 0; step < load; ++step)
            fused(checksum, a, checksum, one);
    } else {
        LaneFloats a[n][n], b[n][n];
        make_matrices<n>(start, a, b);
        for (unsigned step = 0; step < load; ++step)
            product_step<n>(a, b);
        for (unsigned row = 0; row < n; ++row) {
            for (unsigned column = 0; column < n; ++column) {
                LaneFloats weight;
                for (unsigned l = 0; l < product_lanes; ++l)
                    weight.lane[l] = static_cast<float>(row * n + column + 1);
                fused(checksum, b[row][column], weight, checksum);
            }
        }
    }
    for (unsigned l = 0; l < product_lanes; ++l)
        checksums[l] = std::bit_cast<std::uint32_t>(checksum.lane[l]);
}

}  // namespace lockstep::rule_interpreter
