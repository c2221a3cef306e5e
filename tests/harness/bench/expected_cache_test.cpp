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
            ++asked_;
            return UnitResult{static_cast<std::uint32_t>(problem.axes.integer("factor") * static_cast<int>(unit))};
        };
        reference_.ignored_axes = {"layout"};
        budget_.threads = 1;
    }

    static Problem problem(std::string const& factor, std::string const& layout = "A", std::uint64_t const units = 5) {
        Problem asked;
        asked.axes.set("factor", factor);
        asked.axes.set("layout", layout);
        asked.units = units;
        return asked;
    }
    // Returns true if the reference computes at least one unit.
    bool asks(Problem const& asked, std::string const& experiment = "toy") {
        unsigned const before = asked_;
        Expected const& expected = cache_.get(experiment, reference_, asked, budget_);
        EXPECT_EQ(expected.results.size(), asked.units);
        EXPECT_EQ(expected.results.back().at(0), asked.axes.integer("factor") * static_cast<int>(asked.units - 1));
        return asked_ != before;
    }

    unsigned asked_ = 0;
    Reference reference_;
    ReferenceBudget budget_;
    ExpectedCache cache_;
};

TEST_F(ExpectedCacheTest, AProblemIsComputedOnce) {
    EXPECT_TRUE(asks(problem("3")));
    EXPECT_FALSE(asks(problem("3")));
    EXPECT_TRUE(asks(problem("4")));
    EXPECT_TRUE(asks(problem("3", "A", 6)));
    EXPECT_TRUE(asks(problem("3"), "another"));
    Problem other_seed = problem("3");
    other_seed.seed = 2;
    EXPECT_TRUE(asks(other_seed));
    Problem later = problem("3");
    later.first_unit = 1;
    later.units = 4;
    unsigned const before = asked_;
    EXPECT_EQ(cache_.get("toy", reference_, later, budget_).results.back().at(0), 12u);
    EXPECT_NE(asked_, before);
    EXPECT_FALSE(asks(problem("3")));
}

TEST_F(ExpectedCacheTest, IgnoredAxesDoNotMatter) {
    EXPECT_TRUE(asks(problem("3", "A")));
    EXPECT_FALSE(asks(problem("3", "B")));
    reference_.name = "another";
    reference_.ignored_axes.clear();
    EXPECT_TRUE(asks(problem("3", "A")));
    EXPECT_TRUE(asks(problem("3", "B"))) << "this reference ignores no axis";
}

TEST_F(ExpectedCacheTest, KeepsTheMostRecentlyUsed) {
    EXPECT_TRUE(asks(problem("100")));
    for (int factor = 0; factor < 15; ++factor)
        EXPECT_TRUE(asks(problem(std::to_string(factor))));
    EXPECT_FALSE(asks(problem("100"))) << "sixteen entries are kept";
    EXPECT_TRUE(asks(problem("15")));
    EXPECT_FALSE(asks(problem("100")));
    EXPECT_TRUE(asks(problem("0"))) << "least recently used";
}

TEST_F(ExpectedCacheTest, MemoryIsLimited) {
    budget_.bytes = 600;  // five units take about 300
    EXPECT_TRUE(asks(problem("1")));
    EXPECT_TRUE(asks(problem("2")));
    EXPECT_FALSE(asks(problem("1")));
    EXPECT_TRUE(asks(problem("3")));
    EXPECT_TRUE(asks(problem("4")));
    EXPECT_TRUE(asks(problem("5"))) << "only two other entries are kept";
    EXPECT_TRUE(asks(problem("1")));
}

}  // namespace
}  // namespace lockstep::bench
