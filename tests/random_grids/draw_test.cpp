// The call of host code, lockstep::random_grids::draw().

#include "common/random_grids/draw.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <stop_token>
#include <vector>

#include "experiments/random_grids/command.hpp"
#include "harness/bench/error.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/tool.hpp"

namespace lockstep::random_grids::tests {
namespace {

std::vector<std::uint32_t> sets_of(Draw const& what, std::uint64_t first, std::size_t count) {
    std::vector<std::uint32_t> sets(count * words_per_set(what), 0xA5A5A5A5u);
    EXPECT_TRUE(draw(what, first, sets));
    return sets;
}

TEST(Draw, StopsBeforeTheNextPart) {
    std::stop_source source;
    std::vector<std::uint32_t> sets(8, 0xA5A5A5A5u);
    EXPECT_TRUE(draw({32, "16"}, 0, sets, source.get_token()));
    EXPECT_EQ(sets, sets_of({32, "16"}, 0, 8));
    source.request_stop();
    sets.assign(8, 0xA5A5A5A5u);
    EXPECT_FALSE(draw({32, "16"}, 0, sets, source.get_token()));
    EXPECT_EQ(sets, std::vector<std::uint32_t>(8, 0xA5A5A5A5u));
}

TEST(Draw, SetsHaveTheirSites) {
    for (unsigned const sites : {1u, 31u, 32u, 33u, 64u, 65u, 225u, 1024u, 16384u}) {
        if (sites > 1024 && lockstep::tests::under_thread_sanitizer)
            continue;
        for (unsigned const k : {0u, 1u, sites / 3, sites}) {
            Draw const what{sites, std::to_string(k)};
            std::size_t const words = words_per_set(what);
            ASSERT_EQ(words, (sites + 31) / 32);
            std::vector<std::uint32_t> const sets = sets_of(what, 5, 3);
            for (std::size_t set = 0; set < 3; ++set) {
                unsigned count = 0;
                for (std::size_t i = 0; i < words; ++i)
                    count += static_cast<unsigned>(std::popcount(sets[set * words + i]));
                EXPECT_EQ(count, k) << sites;
                if (sites % 32 != 0) {
                    EXPECT_EQ(sets[set * words + words - 1] >> sites % 32, 0u) << sites;
                }
            }
        }
    }
}

TEST(Draw, MachinesAndRangesAgree) {
    for (Draw what : {Draw{50, "20"}, Draw{100, "mixed", 9}, Draw{225, "71,70", 2, "xorwow"}}) {
        std::vector<std::uint32_t> const all = sets_of(what, 0, 100);
        std::size_t const words = words_per_set(what);
        auto const at = [&](std::size_t set) { return all.begin() + static_cast<std::ptrdiff_t>(set * words); };
        EXPECT_EQ(sets_of(what, 61, 8), std::vector<std::uint32_t>(at(61), at(69)));
        what.machine = "emulator";
        EXPECT_EQ(sets_of(what, 0, 100), all);
        ++what.seed;
        EXPECT_NE(sets_of(what, 0, 100), all);
    }
}

TEST(Draw, TheToolDrawsTheSameSets) {
    lockstep::tests::Tool const tool("grids", grids_command);
    std::string const text = tool.output_of({"--width", "6", "--height", "2", "--occupied", "5", "--count", "70"});
    std::vector<std::uint32_t> const sets = sets_of({12, "5"}, 0, 70);
    for (std::size_t set = 0; set < 70; ++set) {
        for (unsigned site = 0; site < 12; ++site)
            EXPECT_EQ(text[set * 15 + site / 6 * 7 + site % 6] == 'X', (sets[set] >> site & 1) != 0);
    }
}

TEST(Draw, EverySetIsEquallyLikely) {
    std::map<std::uint32_t, double> seen;
    for (std::uint32_t const set : sets_of({6, "3"}, 0, 20000))
        ++seen[set];
    ASSERT_EQ(seen.size(), 20u);
    double chi_square = 0;
    for (auto const& [set, count] : seen)
        chi_square += (count - 1000) * (count - 1000) / 1000;
    EXPECT_LT(chi_square, 50);  // 19 degrees of freedom: p = 1e-4
}

TEST(Draw, WrongValuesAreRefused) {
    std::vector<std::uint32_t> words(3);
    EXPECT_THROW(draw({0, "0"}, 0, words), bench::Error);
    EXPECT_THROW(draw({16385, "1"}, 0, words), bench::Error);
    EXPECT_THROW(draw({32, "33"}, 0, words), bench::Error);
    EXPECT_THROW(draw({64, "1"}, 0, words), bench::Error);  // a set and a half
    EXPECT_THROW(draw({32, "1", 1, "mt19937"}, 0, words), bench::Error);
    EXPECT_THROW(draw({32, "1", 1, "philox10", "gpu"}, 0, words), bench::Error);
    EXPECT_THROW(draw({32, "1"}, (std::uint64_t{1} << 48) - 2, words), bench::Error);
    EXPECT_NO_THROW(draw({32, "1"}, (std::uint64_t{1} << 48) - 3, words));
    EXPECT_NO_THROW(draw({32, "1"}, 0, {}));
}

}  // namespace
}  // namespace lockstep::random_grids::tests
