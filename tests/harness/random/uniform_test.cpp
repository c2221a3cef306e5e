// Uniform real numbers: exact values at the edges and of an engine's words.

#include "harness/random/uniform.hpp"

#include <gtest/gtest.h>

#include "harness/random/philox.hpp"

namespace lockstep::random::cpu {
namespace {

TEST(Uniform, FloatsAreMultiplesOfTwoToTheMinus24) {
    EXPECT_EQ(unit_float(0), 0.0f);
    EXPECT_EQ(unit_float(255), 0.0f);
    EXPECT_EQ(unit_float(256), 0x1p-24f);
    EXPECT_EQ(unit_float(0x80000000), 0.5f);
    EXPECT_EQ(unit_float(0xffffffff), 1.0f - 0x1p-24f);
    EXPECT_LT(unit_float(0xffffffff), 1.0f);
}

TEST(Uniform, DoublesAreExact) {
    EXPECT_EQ(unit_double(0), 0.0);
    EXPECT_EQ(unit_double(1), 0x1p-32);
    EXPECT_EQ(unit_double(0xffffffff), 1.0 - 0x1p-32);
    EXPECT_EQ(unit_double(0, 0x7ff), 0.0);
    EXPECT_EQ(unit_double(0, 0x800), 0x1p-53);
    EXPECT_EQ(unit_double(1, 0), 0x1p-32);
    EXPECT_EQ(unit_double(0xffffffff, 0xffffffff), 1.0 - 0x1p-53);
    EXPECT_LT(unit_double(0xffffffff, 0xffffffff), 1.0);
}

TEST(Uniform, OneMinusTheNumberIsExactAndPositive) {
    for (unsigned const word : {0u, 1u, 0x100u, 0x12345678u, 0xffffffffu}) {
        EXPECT_GT(1.0f - unit_float(word), 0.0f);
        EXPECT_EQ(1.0f - (1.0f - unit_float(word)), unit_float(word));
        EXPECT_EQ(1.0 - (1.0 - unit_double(word)), unit_double(word));
        EXPECT_EQ(1.0 - (1.0 - unit_double(word, word)), unit_double(word, word));
    }
}

TEST(Uniform, UsesAnEnginesWordsInOrder) {
    auto engine = Philox4x32<10>::stream(1, 2, 3);
    auto words = engine;
    EXPECT_EQ(uniform_float(engine), unit_float(words()));
    unsigned const first = words();
    unsigned const second = words();
    EXPECT_EQ(uniform_double(engine), unit_double(first, second));
    EXPECT_EQ(engine(), words());
}

}  // namespace
}  // namespace lockstep::random::cpu
