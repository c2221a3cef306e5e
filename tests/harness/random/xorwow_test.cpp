// XORWOW: it follows Marsaglia's recurrence, and jumps equal single steps. (libraries_test.cpp compares it with
// cuRAND.)

#include "harness/random/xorwow.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace lockstep::random::cpu {
namespace {

static_assert(std::uniform_random_bit_generator<Xorwow>);

std::vector<std::uint32_t> words_of(Xorwow engine, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    for (std::uint32_t& word : words) {
        word = engine();
    }
    return words;
}

TEST(Xorwow, YieldsMarsagliasSequence) {
    // Marsaglia's step from his initial state, which corresponds to the seed whose mixed halves are both zero.
    std::uint32_t x = 123456789;
    std::uint32_t y = 362436069;
    std::uint32_t z = 521288629;
    std::uint32_t w = 88675123;
    std::uint32_t v = 5783321;
    std::uint32_t d = 6615241;
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
        for (unsigned i = 0; i < count; ++i) {
            stepped();
        }
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
