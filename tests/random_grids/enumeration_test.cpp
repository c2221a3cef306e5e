// Proves uniformity on small grids by enumeration, and checks that the enumeration detects planted errors.

#include "tests/random_grids/enumeration.hpp"

#include <gtest/gtest.h>

#include "harness/random/bounded.hpp"
#include "kernels/random_grids/halve_word.hpp"
#include "reference_cpu/random_grids/halving.hpp"
#include "reference_cpu/random_grids/traditional.hpp"

namespace lockstep::random_grids::tests {
namespace {

// Packs rows of narrow words into one number, with the first row in the lowest bits.
template <class Word>
std::uint64_t joined(std::vector<Word> const& rows, unsigned bits) {
    std::uint64_t set = 0;
    for (std::size_t i = rows.size(); i-- > 0;)
        set = set << bits | rows[i];
    return set;
}

// The kernels' loop on one word of `bits` sites.
template <unsigned bits>
void check_kernel_word(unsigned depth) {
    for (unsigned k = 0; k <= bits; ++k) {
        auto const counts = enumerate<bits>(depth, [&](Script<bits>& script) -> std::uint64_t {
            return cpu::halve_word(script, static_cast<unsigned char>(Script<bits>::max()), k);
        });
        EXPECT_TRUE(uniform(counts, bits, k)) << bits << " sites, " << k << " occupied";
    }
}

TEST(Enumeration, KernelWord) {
    check_kernel_word<1>(10);
    check_kernel_word<2>(8);
    check_kernel_word<3>(6);
    check_kernel_word<4>(5);
    check_kernel_word<5>(4);
    check_kernel_word<6>(3);
    check_kernel_word<7>(2);
    check_kernel_word<8>(2);
}

// The same loop on 64-bit words with four sites in the lowest bits of each half; a step consumes two words of the
// string.
TEST(Enumeration, KernelWordOf64Bits) {
    for (unsigned k = 0; k <= 8; ++k) {
        auto const counts = enumerate<4>(4, [&](Script<4>& script) -> std::uint64_t {
            unsigned long long const set = cpu::halve_word(script, 0xF0000000Full, k);
            return (set & 0xF) | set >> 32 << 4;
        });
        EXPECT_TRUE(uniform(counts, 8, k)) << k << " occupied";
    }
}

// The specification: `rows` rows of `bits` sites, distributed over `lanes`; a string holds the words of several steps.
template <unsigned bits>
void check_reference(unsigned rows, unsigned lanes, unsigned steps) {
    unsigned const words = (rows + lanes - 1) / lanes * lanes;
    for (unsigned k = 0; k <= bits * rows; ++k) {
        auto const counts = enumerate<bits>(steps * words, [&](Script<bits>& script) {
            std::vector<std::uint8_t> const all(rows, static_cast<std::uint8_t>(Script<bits>::max()));
            return joined(halve(all, {rows, 1, lanes}, k, [&](unsigned) { return script(); }), bits);
        });
        EXPECT_TRUE(uniform(counts, bits * rows, k)) << rows << " rows of " << bits << ", " << k << " occupied";
    }
}

TEST(Enumeration, Reference) {
    check_reference<4>(1, 1, 4);
    check_reference<4>(2, 1, 2);
    check_reference<4>(2, 2, 2);
    check_reference<3>(2, 2, 3);
    check_reference<2>(3, 1, 3);
    check_reference<2>(3, 3, 3);
    check_reference<2>(3, 2, 2);  // the second lane draws for a row that does not exist
    check_reference<8>(1, 1, 2);
}

// Two colours: every pair of nested sets occurs equally often.
TEST(Enumeration, TwoColours) {
    auto const counts = enumerate<5>(4, [](Script<5>& script) -> std::uint64_t {
        unsigned char const occupied = cpu::halve_word(script, static_cast<unsigned char>(31), 3);
        unsigned char const second = cpu::halve_word(script, occupied, 1);
        return occupied | static_cast<std::uint64_t>(second) << 5;
    });
    EXPECT_EQ(counts.size(), 30u);  // C(5, 3) * 3
    for (auto const& [set, count] : counts)
        EXPECT_EQ(count, counts.begin()->second);
}

// The traditional algorithms draw unbiased integers from narrow words, with rejection.
TEST(Enumeration, List) {
    for (unsigned k = 0; k <= 5; ++k) {
        auto const counts = enumerate<4>(5, [&](Script<4>& script) -> std::uint64_t {
            return draw_by_list({31u}, k, [&](unsigned n) { return random::cpu::bounded(script, n); })[0];
        });
        EXPECT_TRUE(uniform(counts, 5, k)) << k;
    }
}

TEST(Enumeration, Probe) {
    for (unsigned k = 0; k <= 5; ++k) {
        auto const counts = enumerate<3>(6, [&](Script<3>& script) -> std::uint64_t {
            return draw_by_probe({31u}, Shape{5, 1}, k, [&](unsigned n) { return random::cpu::bounded(script, n); })[0];
        });
        EXPECT_TRUE(uniform(counts, 5, k)) << k;
    }
}

// Negative controls: each is a common error, and the enumeration must detect it.

TEST(EnumerationCatches, ModuloBias) {
    auto const counts = enumerate<4>(3, [](Script<4>& script) -> std::uint64_t {
        return draw_by_list({31u}, 2, [&](unsigned n) { return script() % n; })[0];
    });
    EXPECT_FALSE(uniform(counts, 5, 2));
}

TEST(EnumerationCatches, DroppedRejection) {
    auto const counts = enumerate<4>(3, [](Script<4>& script) -> std::uint64_t {
        return draw_by_list({31u}, 2, [&](unsigned n) { return script() * n >> 4; })[0];
    });
    EXPECT_FALSE(uniform(counts, 5, 2));
}

TEST(EnumerationCatches, WordReusedForTwoRows) {
    auto const counts = enumerate<3>(4, [](Script<3>& script) {
        unsigned word = 0;
        bool fresh = false;
        std::vector<std::uint8_t> const all(2, 7);
        return joined(halve(all, {2, 1, 1}, 2,
                            [&](unsigned) {
                                fresh = !fresh;
                                if (fresh)
                                    word = script();
                                return word;
                            }),
                      3);
    });
    EXPECT_FALSE(uniform(counts, 6, 2));
}

// A selection that is too large is truncated to the wanted size from the lowest bits instead of being excluded.
TEST(EnumerationCatches, TruncationInsteadOfExclusion) {
    auto const counts = enumerate<5>(3, [](Script<5>& script) -> std::uint64_t {
        unsigned subset = 0;
        while (std::popcount(subset) != 2) {
            unsigned selected = script() & ~subset;
            for (; selected != 0 && std::popcount(subset) != 2; selected &= selected - 1) {
                subset |= selected & (0u - selected);
            }
        }
        return subset;
    });
    EXPECT_FALSE(uniform(counts, 5, 2));
}

// A probe that counts a site that is already occupied, so that the set has fewer than k sites.
TEST(EnumerationCatches, ProbeWithoutRejection) {
    auto const counts =
        enumerate<2>(4, [](Script<2>& script) -> std::uint64_t { return (1u << script()) | (1u << script()); });
    EXPECT_FALSE(uniform(counts, 4, 2));
}

}  // namespace
}  // namespace lockstep::random_grids::tests
