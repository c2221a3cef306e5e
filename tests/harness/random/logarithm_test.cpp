// Compares the harness's logarithm with the standard library's in extended precision, over every mantissa and over
// words of every size.

#include "harness/random/logarithm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "harness/random/streams.hpp"

namespace lockstep::random::cpu {
namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr unsigned stride = 101;
#else
constexpr unsigned stride = 1;
#endif

double exact_log(std::uint32_t word) {
    return static_cast<double>(-std::log((static_cast<long double>(word) + 0.5L) / 4294967296.0L) * 0x1p23L);
}

// The error in units of the last place, 2^-23.
double error_of(std::uint32_t word) { return std::abs(static_cast<double>(minus_log(word)) - exact_log(word)); }

TEST(Logarithm, AtTheEdges) {
    EXPECT_EQ(minus_log(0xffffffffu), 0u) << "2^-33 is far below one unit in the last place";
    EXPECT_EQ(minus_log(0), max_minus_log);
    EXPECT_NEAR(static_cast<double>(minus_log(0)) * 0x1p-23, 33 * std::log(2.0), 1e-7);
    for (unsigned bit = 0; bit < 32; ++bit) {
        for (std::uint32_t const word : {1u << bit, (1u << bit) - 1, (1u << bit) + 1}) {
            EXPECT_LT(error_of(word), 2.0) << word;
        }
    }
    for (std::uint32_t word = 0; word < 5000; ++word) {
        EXPECT_LT(error_of(word), 2.0) << word;
        EXPECT_LT(error_of(0xffffffffu - word), 2.0) << word;
    }
}

// Words 2^31 .. 2^32 - 1 in steps of 256 are the 2^23 mantissas, up to the half that is added.
TEST(Logarithm, OverEveryMantissa) {
    double worst = 0;
    double sum = 0;
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < (1u << 23); i += stride, ++count) {
        float const m = 1.0f + static_cast<float>(i) * 0x1p-23f;
        double const exact = (2 - static_cast<double>(std::log(static_cast<long double>(m)))) * 0x1p23;
        double const error = static_cast<double>(two_minus_log(m)) * 0x1p23 - exact;
        worst = std::max(worst, std::abs(error));
        sum += error;
    }
    EXPECT_LT(worst, 0.9);
    EXPECT_GT(worst, 0.5) << "rounding alone causes an error of half a unit, which the comparison must detect";
    EXPECT_LT(std::abs(sum / static_cast<double>(count)), 0.02) << "the approximation has no bias";
}

TEST(Logarithm, OverAllWords) {
    double worst = 0;
    for (std::uint64_t word = 0; word < (std::uint64_t{1} << 32); word += 4099ull * stride)
        worst = std::max(worst, error_of(static_cast<std::uint32_t>(word)));
    EXPECT_LT(worst, 2.0);
    EXPECT_GT(worst, 1.0) << "the stated error is not far from the real one";
}

// The result never wraps around below 0, which is where u is nearly 1, and never rises by more than rounding does.
TEST(Logarithm, DecreasesUpToRounding) {
    for (std::uint64_t const start : {0ull, 0x3fffff00ull, 0x7fffff00ull, 0xbfffff00ull, 0xffff0000ull}) {
        for (std::uint64_t word = start; word < std::min<std::uint64_t>(start + 0xfff0, 0xffffffffu); ++word)
            EXPECT_LE(minus_log(static_cast<std::uint32_t>(word + 1)), minus_log(static_cast<std::uint32_t>(word)) + 1);
    }
}

TEST(Logarithm, YieldsAnExponentialVariate) {
    double sum = 0;
    double squares = 0;
    constexpr unsigned count = 400000;
    for (unsigned i = 0; i < count; ++i) {
        double const value = static_cast<double>(minus_log(named_word(1, i, 0))) * 0x1p-23;
        sum += value;
        squares += value * value;
    }
    EXPECT_NEAR(sum / count, 1.0, 5 / std::sqrt(static_cast<double>(count)));
    EXPECT_NEAR(squares / count, 2.0, 5 * std::sqrt(20.0 / count));
}

}  // namespace
}  // namespace lockstep::random::cpu
