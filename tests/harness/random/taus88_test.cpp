// taus88: it equals Boost's, rejects degenerate seeds, and jumps equal single steps. (libraries_test.cpp compares it
// with Thrust.)

#include "harness/random/taus88.hpp"

#include <array>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <boost/random/taus88.hpp>

#include "harness/random/taus88_seeds.hpp"
#include "tests/harness/random/taus88_triples.hpp"

namespace lockstep::random::cpu {
namespace {

static_assert(std::uniform_random_bit_generator<Taus88>);

using Seeds = std::array<std::uint32_t, 3>;

template <class Engine>
std::vector<std::uint32_t> words_of(Engine engine, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    for (std::uint32_t& word : words) {
        word = engine();
    }
    return words;
}

boost::random::taus88 boost_taus88(Seeds const& seeds) {
    using First = boost::random::linear_feedback_shift_engine<std::uint32_t, 32, 31, 13, 12>;
    using Second = boost::random::linear_feedback_shift_engine<std::uint32_t, 32, 29, 2, 4>;
    using Third = boost::random::linear_feedback_shift_engine<std::uint32_t, 32, 28, 3, 17>;
    using Pair = boost::random::xor_combine_engine<First, 0, Second, 0>;
    return boost::random::taus88(Pair(First(seeds[0]), Second(seeds[1])), Third(seeds[2]));
}

TEST(Taus88, GivesTheKnownTenThousandthWord) {
    // 341 is the default seed of both libraries; their documentation states the value.
    EXPECT_EQ(words_of(taus88_from_seeds(341, 341, 341), 10000).back(), 3535848941u);
}

TEST(Taus88, EqualsBoosts) {
    for (auto const& [a, b, c] : taus88_triples()) {
        ASSERT_EQ(words_of(taus88_from_seeds(a, b, c), 1000), words_of(boost_taus88({a, b, c}), 1000))
            << a << ", " << b << ", " << c;
    }
    for (std::uint32_t seed = 16; seed < 20000; ++seed) {
        ASSERT_EQ(words_of(taus88_from_seeds(seed, seed, seed), 33), words_of(boost::random::taus88(seed), 33)) << seed;
    }
}

TEST(Taus88, RejectsDegenerateSeeds) {
    EXPECT_NO_THROW(taus88_from_seeds(2, 8, 16));
    for (std::uint32_t const bad : {0u, 1u}) {
        EXPECT_THROW(taus88_from_seeds(bad, 8, 16), std::invalid_argument);
    }
    for (std::uint32_t const bad : {0u, 1u, 7u}) {
        EXPECT_THROW(taus88_from_seeds(2, bad, 16), std::invalid_argument);
    }
    for (std::uint32_t const bad : {0u, 1u, 15u}) {
        EXPECT_THROW(taus88_from_seeds(2, 8, bad), std::invalid_argument);
    }
}

TEST(Taus88, WouldYieldOnlyZerosForRejectedSeeds) {
    // A component that starts just below its smallest valid seed is 0 after one step and stays 0.
    EXPECT_EQ(Taus88::First::next(Taus88::First::smallest_seed - 1), 0u);
    EXPECT_EQ(Taus88::Second::next(Taus88::Second::smallest_seed - 1), 0u);
    EXPECT_EQ(Taus88::Third::next(Taus88::Third::smallest_seed - 1), 0u);
    EXPECT_NE(Taus88::First::next(Taus88::First::smallest_seed), 0u);
    EXPECT_NE(Taus88::Second::next(Taus88::Second::smallest_seed), 0u);
    EXPECT_NE(Taus88::Third::next(Taus88::Third::smallest_seed), 0u);
}

TEST(Taus88, DiscardsAnyNumberOfWords) {
    for (unsigned const count : {0u, 1u, 2u, 3u, 27u, 28u, 29u, 31u, 32u, 33u, 100000u}) {
        Taus88 stepped = Taus88::stream(1, 2, 3);
        Taus88 jumped = stepped;
        for (unsigned i = 0; i < count; ++i) {
            stepped();
        }
        jumped.discard(count);
        EXPECT_EQ(words_of(jumped, 33), words_of(stepped, 33)) << count;
        Taus88 precomputed = Taus88::stream(1, 2, 3);
        precomputed.discard(Taus88::jump_of(count));
        EXPECT_EQ(words_of(precomputed, 33), words_of(stepped, 33)) << count;
    }
}

TEST(Taus88, PrecomputesEquallySpacedJumps) {
    for (unsigned const first : {0u, 1u, 2u, 77u}) {
        for (unsigned const distance : {0u, 1u, 31u, 32u, 100000u}) {
            std::array<Taus88::JumpAhead, 5> jumps{};
            Taus88::jump_table(first, distance, jumps.data(), 5);
            for (unsigned i = 0; i < 5; ++i) {
                Taus88 precomputed = Taus88::stream(4, 5, 6);
                Taus88 jumped = precomputed;
                precomputed.discard(jumps[i]);
                jumped.discard(first + std::uint64_t{i} * distance);
                EXPECT_EQ(words_of(precomputed, 9), words_of(jumped, 9)) << first << " + " << i << " * " << distance;
            }
        }
    }
}

TEST(Taus88, ComponentsHaveTheirFullPeriod) {
    // A jump by the period (2^31 - 1, 2^29 - 1 or 2^28 - 1) returns to the start. 2^31 - 1 is prime; for the other two,
    // no jump by a maximal proper divisor returns to the start.
    std::uint32_t const start = 0xfffffff0;
    EXPECT_EQ(Taus88::First::jump(Taus88::First::next(start), (1ull << 31) - 1), Taus88::First::next(start));
    EXPECT_EQ(Taus88::Second::jump(Taus88::Second::next(start), (1ull << 29) - 1), Taus88::Second::next(start));
    EXPECT_EQ(Taus88::Third::jump(Taus88::Third::next(start), (1ull << 28) - 1), Taus88::Third::next(start));
    for (std::uint64_t const factor : {233ull, 1103ull, 2089ull}) {
        std::uint64_t const divisor = ((1ull << 29) - 1) / factor;
        EXPECT_NE(Taus88::Second::jump(Taus88::Second::next(start), divisor), Taus88::Second::next(start));
    }
    for (std::uint64_t const factor : {3ull, 5ull, 29ull, 43ull, 113ull, 127ull}) {
        std::uint64_t const divisor = ((1ull << 28) - 1) / factor;
        EXPECT_NE(Taus88::Third::jump(Taus88::Third::next(start), divisor), Taus88::Third::next(start));
    }
}

}  // namespace
}  // namespace lockstep::random::cpu
