// Streams: no two of 10^5 names share a state, streams of neighbouring names differ in half their bits, and the check
// detects a naming scheme with collisions.

#include <array>
#include <bit>
#include <bitset>
#include <cstdint>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <boost/random/uniform_int_distribution.hpp>

#include "harness/random/philox.hpp"
#include "harness/random/streams.hpp"
#include "harness/random/taus88.hpp"
#include "harness/random/xorwow.hpp"

namespace lockstep::random::cpu {
namespace {

// The first four words represent the state: any two of 10^5 different states share these 128 bits with probability
// about 10^-28.
template <class Engine>
std::array<unsigned, 4> first_words(Engine engine) {
    std::array<unsigned, 4> words{};
    for (unsigned& word : words) {
        word = engine();
    }
    return words;
}

// Returns the number of streams `make(seed, unit, lane)` with distinct first words, over 100,002 names: 3 seeds (two
// differ only in their high halves), 1000 units with 33 lanes each, and 334 units that differ only in their high
// halves.
template <class Make>
std::size_t distinct_streams(Make make, std::size_t& names) {
    std::set<std::array<unsigned, 4>> starts;
    names = 0;
    auto const add = [&](std::uint64_t seed, std::uint64_t unit, unsigned lane) {
        starts.insert(first_words(make(seed, unit, lane)));
        ++names;
    };
    for (std::uint64_t const seed : {0ull, 1ull, 0x100000000ull}) {
        for (std::uint64_t unit = 0; unit < 1000; ++unit) {
            for (unsigned lane = 0; lane < 33; ++lane) {
                add(seed, unit, lane);
            }
        }
        for (std::uint64_t unit = 1; unit <= 334; ++unit) {
            add(seed, unit << 32, 0);
        }
    }
    return starts.size();
}

template <class Engine>
class Streams : public testing::Test {};
using Engines = testing::Types<Philox4x32<7>, Philox4x32<10>, Xorwow, Taus88>;
TYPED_TEST_SUITE(Streams, Engines);

TYPED_TEST(Streams, NoTwoNamesShareAStream) {
    std::size_t names = 0;
    std::size_t const distinct = distinct_streams(TypeParam::stream, names);
    EXPECT_EQ(names, 100'002u);
    EXPECT_EQ(distinct, names);
}

TYPED_TEST(Streams, NeighboursDifferInHalfTheirBits) {
    std::size_t differing = 0;
    std::size_t bits = 0;
    auto const compare = [&](TypeParam a, TypeParam b) {
        for (int i = 0; i < 8; ++i) {
            differing += std::bitset<32>(a() ^ b()).count();
        }
        bits += 8 * 32;
    };
    for (std::uint64_t unit = 0; unit < 200; ++unit) {
        compare(TypeParam::stream(0, unit, 0), TypeParam::stream(0, unit + 1, 0));
        compare(TypeParam::stream(0, unit, 0), TypeParam::stream(0, unit, 1));
        compare(TypeParam::stream(0, unit, 0), TypeParam::stream(1, unit, 0));
    }
    // The tolerance is five sigma; sigma is 0.0013 for 153,600 fair bits.
    EXPECT_NEAR(static_cast<double>(differing) / static_cast<double>(bits), 0.5, 0.0064);
}

TYPED_TEST(Streams, WorkWithTheDistributionsOfBoostAndTheStandardLibrary) {
    TypeParam engine = TypeParam::stream(1, 2, 3);
    std::uniform_int_distribution<int> standard(1, 6);
    boost::random::uniform_int_distribution<int> boosts(1, 6);
    std::array<int, 7> seen{};
    for (int i = 0; i < 600; ++i) {
        ++seen.at(static_cast<std::size_t>(standard(engine)));
        ++seen.at(static_cast<std::size_t>(boosts(engine)));
    }
    EXPECT_EQ(seen[0], 0);
    for (std::size_t face = 1; face <= 6; ++face) {
        EXPECT_NEAR(seen[face], 200, 65) << face;
    }
}

TYPED_TEST(Streams, AreTriviallyCopyable) {
    static_assert(std::is_trivially_copyable_v<TypeParam>);
    TypeParam const engine = TypeParam::stream(1, 2, 3);
    EXPECT_EQ(first_words(engine), first_words(engine));
}

TEST(StreamNames, TheCheckDetectsSeedingByNumber) {
    // A common mistake: the stream's number seeds all three components, which ignore the seed's low bits.
    auto const by_number = [](std::uint64_t seed, std::uint64_t unit, unsigned lane) {
        struct Engine {
            unsigned first, second, third;
            unsigned operator()() {
                first = Taus88::First::next(first);
                second = Taus88::Second::next(second);
                third = Taus88::Third::next(third);
                return first ^ second ^ third;
            }
        };
        unsigned const number = 16 + static_cast<unsigned>(seed * 1'000'000 + unit * 33 + lane);
        return Engine{number, number, number};
    };
    std::size_t names = 0;
    std::size_t const distinct = distinct_streams(by_number, names);
    EXPECT_LE(distinct, names / 2 + 3);
}

TEST(StreamNames, EnginesOfOneNameHaveNothingInCommon) {
    // Philox4x32-10 also generates the naming words: the words of a Philox stream must not appear in another engine's
    // state.
    std::set<unsigned> words;
    auto philox = Philox4x32<10>::stream(1, 2, 3);
    for (int i = 0; i < 1000; ++i) {
        words.insert(philox());
    }
    for (unsigned use = 0; use < 16; ++use) {
        Words4 const name = naming_words(1, 2, 3, use);
        for (unsigned const word : {name.x, name.y, name.z, name.w}) {
            EXPECT_EQ(words.count(word), 0u);
        }
    }
}

}  // namespace
}  // namespace lockstep::random::cpu
