// Our generators equal those of cuRAND and Thrust. The libraries' code runs on the CPU here, so the test needs only the
// CUDA Toolkit's headers and no GPU.

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "harness/random/taus88_seeds.hpp"
#include "harness/random/xorwow.hpp"
#include "tests/harness/random/library_words.hpp"
#include "tests/harness/random/taus88_triples.hpp"

namespace lockstep::random::cpu {
namespace {

using Words = std::vector<std::uint32_t>;

template <class Engine>
Words words_of(Engine engine, std::size_t count) {
    Words words(count);
    for (std::uint32_t& word : words) {
        word = engine();
    }
    return words;
}

TEST(Curand, XorwowIsEqual) {
    if (!has_curand) {
        GTEST_SKIP() << "cuRAND's headers were not found when this test was configured";
    }
    for (std::uint64_t const seed : {0ull, 1ull, 31ull, 32ull, 33ull, 42ull, 1234567890123456789ull,
                                     0xffffffffffffffffull, 0xf7dcefddaad26b49ull}) {
        EXPECT_EQ(words_of(Xorwow::from_curand_seed(seed), 10000), curand_xorwow_words(seed, 0, 0, 10000)) << seed;
    }
    EXPECT_NE(words_of(Xorwow::from_curand_seed(0), 33), curand_xorwow_words(1, 0, 0, 33))
        << "the comparison must detect a different seed";
}

TEST(Curand, XorwowSkipsAheadTheSame) {
    if (!has_curand) {
        GTEST_SKIP() << "cuRAND's headers were not found when this test was configured";
    }
    for (std::uint64_t const subsequence : {0ull, 1ull, 2ull, 3ull, 31ull, 33ull, 0x123456789abcdefull}) {
        for (std::uint64_t const offset : {0ull, 1ull, 32ull, 1000003ull, 0xfedcba9876543210ull}) {
            Xorwow engine = Xorwow::from_curand_seed(42);
            engine.discard_subsequences(subsequence);
            engine.discard(offset);
            EXPECT_EQ(words_of(engine, 100), curand_xorwow_words(42, subsequence, offset, 100))
                << subsequence << " subsequences and " << offset << " words";
        }
    }
}

TEST(Thrust, Taus88IsEqual) {
    if (!has_thrust) {
        GTEST_SKIP() << "Thrust's headers were not found when this test was configured";
    }
    for (auto const& [a, b, c] : taus88_triples()) {
        ASSERT_EQ(words_of(taus88_from_seeds(a, b, c), 1000), thrust_taus88_words(a, b, c, 1000))
            << a << ", " << b << ", " << c;
    }
}

TEST(Thrust, Taus88YieldsOnlyZerosForTheSeedsThatOursRejects) {
    if (!has_thrust) {
        GTEST_SKIP() << "Thrust's headers were not found when this test was configured";
    }
    EXPECT_EQ(thrust_taus88_words(1, 1, 1, 33), Words(33, 0));
    EXPECT_EQ(thrust_taus88_words(1, 7, 15, 33), Words(33, 0));
    EXPECT_NE(thrust_taus88_words(2, 7, 15, 33), Words(33, 0));
}

}  // namespace
}  // namespace lockstep::random::cpu
