// Compares the harness's logarithm with the standard library's: the error is less than one unit in the last place at
// every word tested.

#include "harness/random/logarithm.hpp"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "harness/random/streams.hpp"

namespace lockstep::random::cpu {
namespace {

// The error in units of the last place, 2^-27.
double error_of(std::uint32_t word) {
    double const exact = -std::log((static_cast<double>(word) + 0.5) / 4294967296.0);
    return std::abs(static_cast<double>(minus_log(word)) - exact * 0x1p27);
}

TEST(Logarithm, AtTheEdges) {
    EXPECT_EQ(minus_log(0xffffffffu), 0u) << "2^-33 is far below one unit in the last place";
    EXPECT_NEAR(static_cast<double>(minus_log(0)) * 0x1p-27, 33 * std::log(2.0), 1e-8);
    for (unsigned bit = 0; bit < 32; ++bit) {
        for (std::uint32_t const word : {1u << bit, (1u << bit) - 1, (1u << bit) + 1}) {
            EXPECT_LT(error_of(word), 1.0) << word;
        }
    }
    for (std::uint32_t word = 0; word < 5000; ++word) {
        EXPECT_LT(error_of(word), 1.0) << word;
        EXPECT_LT(error_of(0xffffffffu - word), 1.0) << word;
    }
}

TEST(Logarithm, OverAllWords) {
    double worst = 0;
    for (std::uint64_t word = 0; word < (std::uint64_t{1} << 32); word += 4099) {
        worst = std::max(worst, error_of(static_cast<std::uint32_t>(word)));
    }
    EXPECT_LT(worst, 0.8);
    EXPECT_GT(worst, 0.4) << "rounding alone causes an error of half a unit, which the comparison must detect";
}

TEST(Logarithm, DecreasesUpToRounding) {
    for (std::uint64_t const start : {0ull, 0x3fffff00ull, 0x7fffff00ull, 0xbfffff00ull, 0xffff0000ull}) {
        for (std::uint64_t word = start; word < start + 0xfff0; ++word) {
            if (word >= 0xffffffffull) {
                break;
            }
            // Rounding in the polynomial may cause an increase of one unit.
            EXPECT_LE(minus_log(static_cast<std::uint32_t>(word + 1)), minus_log(static_cast<std::uint32_t>(word)) + 1);
        }
    }
}

TEST(Logarithm, YieldsAnExponentialVariate) {
    double sum = 0;
    double squares = 0;
    constexpr unsigned count = 400000;
    for (unsigned i = 0; i < count; ++i) {
        double const value = static_cast<double>(minus_log(named_word(1, i, 0))) * 0x1p-27;
        sum += value;
        squares += value * value;
    }
    EXPECT_NEAR(sum / count, 1.0, 5 / std::sqrt(static_cast<double>(count)));
    EXPECT_NEAR(squares / count, 2.0, 5 * std::sqrt(20.0 / count));
}

}  // namespace
}  // namespace lockstep::random::cpu
