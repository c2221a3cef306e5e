// XORWOW: equal to cuRAND's generator, run on the CPU (curand_words.cpp), and its jumps equal to its steps.

#include "harness/random/xorwow.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/harness/random/library_words.hpp"

namespace lockstep::random::cpu {
namespace {

static_assert(std::uniform_random_bit_generator<Xorwow>);

std::uint64_t const seeds[] = {0, 1, 31, 32, 33, 42, 1234567890123456789, 0xffffffffffffffff, 0xf7dcefddaad26b49};

std::vector<std::uint32_t> words_of(Xorwow engine, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    for (std::uint32_t& word : words) { word = engine(); }
    return words;
}

TEST(Xorwow, EqualsCurand) {
    if (!has_curand) { GTEST_SKIP() << "cuRAND's headers were not found when this test was configured"; }
    for (std::uint64_t const seed : seeds) {
        EXPECT_EQ(words_of(Xorwow::from_curand_seed(seed), 10000), curand_xorwow_words(seed, 0, 0, 10000)) << seed;
    }
    EXPECT_NE(words_of(Xorwow::from_curand_seed(0), 33), curand_xorwow_words(1, 0, 0, 33)) << "the comparison must see seeds";
}

TEST(Xorwow, SkipsAheadAsCurandDoes) {
    if (!has_curand) { GTEST_SKIP() << "cuRAND's headers were not found when this test was configured"; }
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

TEST(Xorwow, GivesMarsagliasSequenceBehindItsWeylSums) {
    // Marsaglia's own start. Two steps written out by hand from the paper's formula.
    std::uint32_t x = 123456789;
    std::uint32_t y = 362436069;
    std::uint32_t z = 521288629;
    std::uint32_t w = 88675123;
    std::uint32_t v = 5783321;
    std::uint32_t d = 6615241;
    // The seed whose mixed halves are zero.
    Xorwow engine = Xorwow::from_curand_seed(0xf7dcefddaad26b49);
    for (int i = 0; i < 1000; ++i) {
        std::uint32_t const t = x ^ (x >> 2);
        x = y;
        y = z;
        z = w;
        w = v;
        v = (v ^ (v << 4)) ^ (t ^ (t << 1));
        d += 362437;
        ASSERT_EQ(engine(), d + v) << "word " << i;
    }
}

TEST(Xorwow, DiscardsAnyNumberOfWords) {
    for (unsigned const count : {0u, 1u, 2u, 31u, 32u, 33u, 159u, 160u, 161u, 100000u}) {
        Xorwow stepped = Xorwow::stream(1, 2, 3);
        Xorwow jumped = stepped;
        for (unsigned i = 0; i < count; ++i) { stepped(); }
        jumped.discard(count);
        EXPECT_EQ(words_of(jumped, 33), words_of(stepped, 33)) << count;
    }
}

TEST(Xorwow, JumpsAddUp) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 10; ++i) {
        std::uint64_t const first = random() / 2;
        std::uint64_t const second = random() / 2;
        Xorwow at_once = Xorwow::stream(4, 5, 6);
        Xorwow in_two = at_once;
        at_once.discard(first + second);
        in_two.discard(first);
        in_two.discard(second);
        EXPECT_EQ(words_of(at_once, 33), words_of(in_two, 33));
    }
}

}  // namespace
}  // namespace lockstep::random::cpu
