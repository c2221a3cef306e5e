// The reference computes each problem once, regardless of the values of the axes that it ignores.

#include "harness/bench/expected_cache.hpp"

#include <gtest/gtest.h>

namespace lockstep::bench {
namespace {

// A reference that counts its calls. A unit's result is the axis `factor` times the unit.
class ExpectedCacheTest : public testing::Test {
protected:
    ExpectedCacheTest() {
        reference_.name = "counting";
        reference_.unit = [this](Problem const& problem, std::uint64_t const unit) {
            ++computed_units_;
            return UnitResult{static_cast<std::uint32_t>(problem.axes.integer("factor") * static_cast<int>(unit))};
        };
        reference_.ignored_axes = {"layout"};
        budget_.threads = 1;
    }

    static Problem problem(std::string const& factor, std::string const& layout = "A", std::uint64_t const units = 5) {
        Problem made;
        made.axes.set("factor", factor);
        made.axes.set("layout", layout);
        made.units = units;
        return made;
    }
    // Returns true if the reference computes at least one unit.
    bool computes(Problem const& made, std::string const& experiment = "toy") {
        unsigned const before = computed_units_;
        Expected const& expected = cache_.get(experiment, reference_, made, budget_);
        EXPECT_EQ(expected.results.size(), made.units);
        EXPECT_EQ(expected.results.back().at(0), made.axes.integer("factor") * static_cast<int>(made.units - 1));
        return computed_units_ != before;
    }

    unsigned computed_units_ = 0;
    Reference reference_;
    ReferenceBudget budget_;
    ExpectedCache cache_;
};

TEST_F(ExpectedCacheTest, AProblemIsComputedOnce) {
    EXPECT_TRUE(computes(problem("3")));
    EXPECT_FALSE(computes(problem("3")));
    EXPECT_TRUE(computes(problem("4")));
    EXPECT_TRUE(computes(problem("3", "A", 6)));
    EXPECT_TRUE(computes(problem("3"), "another"));
    Problem other_seed = problem("3");
    other_seed.seed = 2;
    EXPECT_TRUE(computes(other_seed));
    Problem later = problem("3");
    later.first_unit = 1;
    later.units = 4;
    unsigned const before = computed_units_;
    EXPECT_EQ(cache_.get("toy", reference_, later, budget_).results.back().at(0), 12u);
    EXPECT_NE(computed_units_, before);
    EXPECT_FALSE(computes(problem("3")));
}

TEST_F(ExpectedCacheTest, IgnoredAxesDoNotMatter) {
    EXPECT_TRUE(computes(problem("3", "A")));
    EXPECT_FALSE(computes(problem("3", "B")));
    reference_.name = "another";
    reference_.ignored_axes.clear();
    EXPECT_TRUE(computes(problem("3", "A")));
    EXPECT_TRUE(computes(problem("3", "B"))) << "this reference ignores no axis";
}

TEST_F(ExpectedCacheTest, KeepsTheMostRecentlyUsed) {
    EXPECT_TRUE(computes(problem("100")));
    for (int factor = 0; factor < 15; ++factor)
        EXPECT_TRUE(computes(problem(std::to_string(factor))));
    EXPECT_FALSE(computes(problem("100"))) << "sixteen entries are kept";
    EXPECT_TRUE(computes(problem("15")));
    EXPECT_FALSE(computes(problem("100")));
    EXPECT_TRUE(computes(problem("0"))) << "least recently used";
}

TEST_F(ExpectedCacheTest, MemoryIsLimited) {
    budget_.bytes = 600;  // five units take about 300
    EXPECT_TRUE(computes(problem("1")));
    EXPECT_TRUE(computes(problem("2")));
    EXPECT_FALSE(computes(problem("1")));
    EXPECT_TRUE(computes(problem("3")));
    EXPECT_TRUE(computes(problem("4")));
    EXPECT_TRUE(computes(problem("5"))) << "only two other entries are kept";
    EXPECT_TRUE(computes(problem("1")));
}

}  // namespace
}  // namespace lockstep::bench
