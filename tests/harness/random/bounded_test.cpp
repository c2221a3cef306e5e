// bounded(): over all sequences of narrow words, every value occurs equally often. The same count detects the bias of
// modulo and multiplication without rejection.

#include "harness/random/bounded.hpp"

#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "harness/random/philox.hpp"

namespace lockstep::random::cpu {
namespace {

struct OutOfWords {};

// An engine whose words are the digits of one number, so enumerating numbers enumerates all sequences of words.
template <unsigned Bits>
class Script {
public:
    using result_type = unsigned;
    static constexpr unsigned min() { return 0; }
    static constexpr unsigned max() { return (1u << Bits) - 1; }

    Script(std::uint64_t digits, unsigned length) : digits_(digits), left_(length) {}

    unsigned operator()() {
        if (left_ == 0) {
            throw OutOfWords();
        }
        --left_;
        unsigned const word = static_cast<unsigned>(digits_) & max();
        digits_ >>= Bits;
        return word;
    }

private:
    std::uint64_t digits_;
    unsigned left_;
};

// Counts the occurrences of each value over all sequences of `length` words. Skips sequences that are too short for the
// draw.
template <unsigned Bits, class Draw>
std::vector<std::uint64_t> count_all(unsigned n, unsigned length, Draw draw) {
    std::vector<std::uint64_t> counts(n, 0);
    for (std::uint64_t digits = 0; digits < 1ull << (Bits * length); ++digits) {
        Script<Bits> script(digits, length);
        try {
            ++counts.at(draw(script, n));
        } catch (OutOfWords const&) {
        }
    }
    return counts;
}

bool all_equal(std::vector<std::uint64_t> const& counts) {
    return std::set<std::uint64_t>(counts.begin(), counts.end()).size() == 1;
}

auto const draw_bounded = [](auto& engine, unsigned n) { return bounded(engine, n); };
auto const draw_modulo = [](auto& engine, unsigned n) { return engine() % n; };
auto const draw_multiply = [](auto& engine, unsigned n) { return engine() * n / (engine.max() + 1); };

TEST(Bounded, CountsEveryValueEquallyOftenOverAllWords) {
    for (unsigned n = 1; n <= 15; ++n) {
        for (unsigned const length : {1u, 2u, 3u}) {
            auto const counts = count_all<4>(n, length, draw_bounded);
            EXPECT_TRUE(all_equal(counts)) << n << " values, " << length << " words";
            EXPECT_GT(counts[0], 0u);
        }
    }
    for (unsigned const n : {1u, 3u, 31u, 32u, 33u, 100u, 127u, 128u, 129u, 254u, 255u}) {
        EXPECT_TRUE(all_equal(count_all<8>(n, 2, draw_bounded))) << n << " values";
    }
}

TEST(Bounded, RejectsTheFewestWords) {
    for (unsigned n = 1; n <= 255; ++n) {
        EXPECT_EQ(count_all<8>(n, 1, draw_bounded)[0], 256u / n);
    }
}

TEST(Bounded, TheCountDetectsBiasedDraws) {
    for (unsigned n = 1; n <= 15; ++n) {
        bool const power_of_two = (n & (n - 1)) == 0;
        EXPECT_EQ(all_equal(count_all<4>(n, 1, draw_modulo)), power_of_two) << n;
        EXPECT_EQ(all_equal(count_all<4>(n, 1, draw_multiply)), power_of_two) << n;
    }
}

// An engine that returns the given 32-bit words.
class Words {
public:
    using result_type = unsigned;
    static constexpr unsigned min() { return 0; }
    static constexpr unsigned max() { return 0xffffffff; }
    explicit Words(std::vector<unsigned> words) : words_(std::move(words)) {}
    unsigned operator()() { return words_.at(next_++); }
    std::size_t taken() const { return next_; }

private:
    std::vector<unsigned> words_;
    std::size_t next_ = 0;
};

TEST(Bounded, WholeWordsAtTheEdges) {
    Words edges({0, 0xffffffff, 0x7fffffff, 0x80000000});
    EXPECT_EQ(bounded(edges, 2), 0u);
    EXPECT_EQ(bounded(edges, 2), 1u);
    EXPECT_EQ(bounded(edges, 2), 0u);
    EXPECT_EQ(bounded(edges, 2), 1u);
    EXPECT_EQ(edges.taken(), 4u);

    // 2^32 mod 3 is 1: only the product 0 is rejected.
    Words three({0, 1, 0x55555555, 0x55555556});
    EXPECT_EQ(bounded(three, 3), 0u);
    EXPECT_EQ(three.taken(), 2u);
    EXPECT_EQ(bounded(three, 3), 0u);
    EXPECT_EQ(bounded(three, 3), 1u);

    // 2^32 mod (2^32 - 1) is also 1, so word w yields w - 1.
    Words largest({0, 1, 2, 0xffffffff});
    EXPECT_EQ(bounded(largest, 0xffffffff), 0u);
    EXPECT_EQ(largest.taken(), 2u);
    EXPECT_EQ(bounded(largest, 0xffffffff), 1u);
    EXPECT_EQ(bounded(largest, 0xffffffff), 0xfffffffeu);

    // 2^32 mod (2^31 + 1) is 2^31 - 1: nearly half of all words are rejected. Word 2 is: 2 n is 2^32 + 2, whose low
    // half is 2.
    Words half({2, 0, 1, 0xffffffff});
    EXPECT_EQ(bounded(half, 0x80000001), 0u);
    EXPECT_EQ(half.taken(), 3u);
}

TEST(Bounded, StaysBelowItsBound) {
    auto engine = Philox4x32<10>::stream(1, 2, 3);
    for (unsigned const n : {1u, 2u, 31u, 32u, 33u, 1000000007u, 0xffffffffu}) {
        for (int i = 0; i < 1000; ++i) {
            ASSERT_LT(bounded(engine, n), n);
        }
    }
}

}  // namespace
}  // namespace lockstep::random::cpu
