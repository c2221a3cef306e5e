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

inline void added(LaneFloats& result, LaneFloats const& x) {
    for (unsigned l = 0; l < product_lanes; ++l)
        result.lane[l] += x.lane[l];
}

// A product, and the rows of the next B (Matrices in synthetic_rules.hpp).
template <unsigned m, unsigned n, unsigned o>
inline void product_step(LaneFloats const (&a)[m][n], LaneFloats (&b)[n][o]) {
    constexpr unsigned stay = m < n ? n - m : 0;
    for (unsigned column = 0; column < o; ++column) {
        LaneFloats sum[m];
        for (unsigned row = 0; row < m; ++row) {
            multiplied(sum[row], a[row][0], b[0][column]);
            for (unsigned k = 1; k < n; ++k)
                fused(sum[row], a[row][k], b[k][column], sum[row]);
        }
        for (unsigned row = 0; row < stay; ++row)
            b[row][column] = b[row + m][column];
        for (unsigned row = 0; row < m; ++row) {
            if (row < n)
                b[stay + row][column] = sum[row];
            else
                added(b[row % n][column], sum[row]);
        }
    }
}

// A and B of each lane, as in the reference.
template <unsigned m, unsigned n, unsigned o>
inline void make_matrices(LaneFloats const& start, LaneFloats (&a)[m][n], LaneFloats (&b)[n][o]) {
    for (unsigned l = 0; l < product_lanes; ++l) {
        float const small = start.lane[l] * 0x1p-12f;
        for (unsigned row = 0; row < m; ++row) {
            unsigned const large = m < n ? row : (row + 1) % n;
            float rest = 1.0f / static_cast<float>((m - row % n + n - 1) / n);
            for (unsigned column = 0; column < n; ++column) {
                if (column == large)
                    continue;
                float const index = static_cast<float>(row * n + column);
                a[row][column].lane[l] = small * (1.0f + index / static_cast<float>(2 * m * n));
                rest -= a[row][column].lane[l];
            }
            a[row][large].lane[l] = rest;
        }
        for (unsigned row = 0; row < n; ++row) {
            for (unsigned column = 0; column < o; ++column) {
                float const number = static_cast<float>(row * o + column + 1);
                b[row][column].lane[l] = __builtin_fmaf(start.lane[l], number / static_cast<float>(n * o), 0.5f);
            }
        }
    }
}

// Computes checksums[l] of values[l] at instances[l].
template <unsigned m, unsigned n, unsigned o>
inline void checksum_lanes(std::uint32_t const* values, std::uint32_t const* instances, unsigned load,
                           std::uint32_t* checksums) {
    LaneFloats start;
    for (unsigned l = 0; l < product_lanes; ++l) {
        std::uint32_t word = values[l] * 0x9E3779B1u + instances[l] * 0x85EBCA6Bu;
        word ^= word >> 15;
        start.lane[l] = std::bit_cast<float>(0x3F800000u | word >> 9);
    }
    LaneFloats checksum{};
    if constexpr (m * n * o == 1) {
        LaneFloats a, one;
        checksum = start;
        for (unsigned l = 0; l < product_lanes; ++l) {
            a.lane[l] = start.lane[l] * 0x1p-12f - 1.0f;
            one.lane[l] = 1.0f;
        }
        for (unsigned step = 0; step < load; ++step)
            fused(checksum, a, checksum, one);
    } else {
        LaneFloats a[m][n], b[n][o];
        make_matrices<m, n, o>(start, a, b);
        for (unsigned step = 0; step < load; ++step)
            product_step<m, n, o>(a, b);
        for (unsigned row = 0; row < n; ++row) {
            for (unsigned column = 0; column < o; ++column) {
                LaneFloats weight;
                for (unsigned l = 0; l < product_lanes; ++l)
                    weight.lane[l] = static_cast<float>(row * o + column + 1);
                fused(checksum, b[row][column], weight, checksum);
            }
        }
    }
    for (unsigned l = 0; l < product_lanes; ++l)
        checksums[l] = std::bit_cast<std::uint32_t>(checksum.lane[l]);
}

}  // namespace lockstep::rule_interpreter
