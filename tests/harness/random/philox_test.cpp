// Philox4x32: known answers of Random123, comparison with an independent scalar implementation, and the order of a
// stream's words.

#include "harness/random/philox.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "harness/random/streams.hpp"

namespace lockstep::random::cpu {
namespace {

static_assert(std::uniform_random_bit_generator<Philox4x32<7>>);
static_assert(std::uniform_random_bit_generator<Philox4x32<10>>);

// The paper's algorithm written with 64-bit products and arrays, independently of the header.
std::array<std::uint32_t, 4> philox_as_in_the_paper(std::array<std::uint32_t, 4> counter,
                                                    std::array<std::uint32_t, 2> key, int rounds) {
    std::array<std::uint64_t, 2> const multiplier{0xD2511F53, 0xCD9E8D57};
    std::array<std::uint32_t, 2> const weyl{0x9E3779B9, 0xBB67AE85};
    for (int round = 0; round < rounds; ++round) {
        if (round > 0) {
            for (std::size_t i = 0; i < 2; ++i) {
                key[i] += weyl[i];
            }
        }
        std::array<std::uint32_t, 4> next{};
        for (std::size_t half = 0; half < 2; ++half) {
            std::uint64_t const product = multiplier[half] * counter[2 * half];
            std::size_t const other = 2 * (1 - half);
            next[other] = static_cast<std::uint32_t>(product >> 32) ^ counter[other + 1] ^ key[1 - half];
            next[other + 1] = static_cast<std::uint32_t>(product);
        }
        counter = next;
    }
    return counter;
}

struct KnownAnswer {
    Words4 counter;
    unsigned key_low;
    unsigned key_high;
    Words4 seven;
    Words4 ten;
};

// From the file kat_vectors of Random123.
std::array<KnownAnswer, 3> const known_answers{{
    {{0, 0, 0, 0},
     0,
     0,
     {0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48},
     {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     0xffffffff,
     0xffffffff,
     {0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     0xa4093822,
     0x299f31d0,
     {0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
}};

TEST(Philox, GivesRandom123sKnownAnswers) {
    for (KnownAnswer const& known : known_answers) {
        EXPECT_EQ(Philox4x32<7>::at(known.counter, known.key_low, known.key_high), known.seven);
        EXPECT_EQ(Philox4x32<10>::at(known.counter, known.key_low, known.key_high), known.ten);
    }
}

template <int Rounds>
void compare_with_the_paper() {
    std::mt19937 random(Rounds);
    auto const word = [&] { return static_cast<std::uint32_t>(random()); };
    for (int i = 0; i < 10000; ++i) {
        std::array<std::uint32_t, 4> const counter{word(), word(), word(), word()};
        std::array<std::uint32_t, 2> const key{word(), word()};
        auto const expected = philox_as_in_the_paper(counter, key, Rounds);
        Words4 const actual =
            Philox4x32<Rounds>::at(Words4{counter[0], counter[1], counter[2], counter[3]}, key[0], key[1]);
        ASSERT_EQ(actual, (Words4{expected[0], expected[1], expected[2], expected[3]}));
    }
}

TEST(Philox, EqualsAnIndependentImplementation) {
    compare_with_the_paper<7>();
    compare_with_the_paper<10>();
}

TEST(Philox, ReturnsEachBlocksWordsInOrder) {
    std::uint64_t const seed = 0x0123456789abcdef;
    std::uint64_t const unit = 0xfedcba9876543210;
    auto engine = Philox4x32<10>::stream(seed, unit, 33);
    for (unsigned block = 0; block < 33; ++block) {
        Words4 const expected = Philox4x32<10>::at(Words4{block, 33, 0x76543210, 0xfedcba98}, 0x89abcdef, 0x01234567);
        for (unsigned const word : {expected.x, expected.y, expected.z, expected.w}) {
            ASSERT_EQ(engine(), word);
        }
    }
}

TEST(Philox, BlocksOfFourHaveTheSameWords) {
    auto one = Philox4x32<7>::stream(1, 2, 3);
    auto four = one;
    for (int i = 0; i < 32; ++i) {
        Words4 const words = four.next4();
        for (unsigned const word : {words.x, words.y, words.z, words.w}) {
            ASSERT_EQ(one(), word);
        }
    }
    one();
    EXPECT_EQ(one.next4(), Philox4x32<7>::at(1, 2, 3, 33)) << "the rest of a started block is discarded";
}

TEST(Philox, DiscardsAnyNumberOfWords) {
    for (unsigned const begun : {0u, 1u, 3u, 4u}) {
        for (unsigned const count : {0u, 1u, 2u, 3u, 4u, 5u, 31u, 32u, 33u, 1000u}) {
            auto stepped = Philox4x32<10>::stream(5, 6, 7);
            for (unsigned i = 0; i < begun; ++i) {
                stepped();
            }
            auto jumped = stepped;
            for (unsigned i = 0; i < count; ++i) {
                stepped();
            }
            jumped.discard(count);
            for (int i = 0; i < 9; ++i) {
                ASSERT_EQ(jumped(), stepped()) << begun << " drawn, " << count << " skipped";
            }
        }
    }
    auto far = Philox4x32<10>::stream(5, 6, 7);
    far.discard(0x2'0000'0005ull);
    EXPECT_EQ(far(), Philox4x32<10>::at(5, 6, 7, 0x8000'0001u).y);
}

TEST(NamedWord, EqualsTheStreamsWord) {
    auto engine = Philox4x32<10>::stream(11, 12, 13);
    auto lane_zero = Philox4x32<10>::stream(11, 12, 0);
    for (std::uint64_t draw = 0; draw < 33; ++draw) {
        ASSERT_EQ(named_word(11, 12, 13u, draw), engine());
        ASSERT_EQ(named_word(11, 12, draw), lane_zero());
    }
}

}  // namespace
}  // namespace lockstep::random::cpu
