// The fixture for users' tests (harness/simt/kernel_test.hpp): the orders that it runs, and their names. What its
// failures say is in tests/consumer/simt.

#include <gtest/gtest.h>

#include <set>

#include "harness/simt/kernel_test.hpp"

namespace lockstep::simt {
namespace {

class Orders : public KernelTest {
protected:
    // The names of the orders in which a body runs.
    std::vector<std::string> names_seen() {
        std::vector<std::string> names;
        in_every_order([&] {
            emulator::Options const& now = emulator::options();
            names.push_back(Schedule{now.order, now.seed}.name());
        });
        return names;
    }
};

TEST_F(Orders, EachOrderRunsOnce) {
    std::vector<std::string> const names = names_seen();
    EXPECT_EQ(names.size(), 2 + 2 * 8);
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
    EXPECT_EQ(names.front(), "ascending");
    EXPECT_EQ(names.back(), "unfair:8");
}

TEST_F(Orders, TheNumberOfSeedsAndOtherOptionsAreTheTest_s) {
    seeds = 1;
    options.threads = 3;
    EXPECT_EQ(names_seen(), (std::vector<std::string>{"ascending", "descending", "random:1", "unfair:1"}));
    in_every_order([] { EXPECT_EQ(emulator::options().threads, 3u); });
    EXPECT_NE(emulator::options().threads, 3u);
}

TEST_F(Orders, ANameGivesItsOrder) {
    for (Schedule const& schedule : schedules(3)) {
        auto const read = schedule_from(schedule.name());
        ASSERT_TRUE(read.has_value()) << schedule.name();
        EXPECT_EQ(read->order, schedule.order);
        EXPECT_EQ(read->seed, schedule.seed);
    }
    for (char const* const wrong : {"", "unfair", "unfair:", "unfair:-1", "unfair:1x", "ascending:1", "upwards"}) {
        EXPECT_FALSE(schedule_from(wrong).has_value()) << wrong;
    }
}

TEST_F(Orders, AResultThatIsEqualInEveryOrderIsReturned) {
    int calls = 0;
    EXPECT_EQ(same_in_every_order([&] { return ++calls, 5; }), 5);
    EXPECT_EQ(calls, 1 + 2 + 2 * 8);
}

}  // namespace
}  // namespace lockstep::simt
