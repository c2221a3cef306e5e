// A worker that gives tasks that do not pay is not asked for a while.

#include "baselines/term_rewriting/compiled/offers.hpp"

#include <gtest/gtest.h>

namespace lockstep::term_rewriting::compiled {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

Offers::Clock::time_point const start{std::chrono::seconds(1000)};
constexpr microseconds cost(1);

TEST(Offers, AWorkerWithTasksIsAsked) {
    Offers offers;
    offers.reset(false);
    EXPECT_FALSE(offers.are_open(start));
    offers.set_has_tasks(true);
    EXPECT_TRUE(offers.are_open(start));
}

TEST(Offers, ATaskThatPaysLeavesThemOpen) {
    Offers offers;
    Offers::learn(offers, offers, cost, Offers::worthwhile * cost, start);
    EXPECT_TRUE(offers.are_open(start));
}

TEST(Offers, ATaskThatDoesNotPayClosesThemForALongerTimeEachTime) {
    Offers offers;
    microseconds expected = Offers::parts * cost;
    for (int again = 0; again < 10; ++again) {
        Offers::learn(offers, offers, cost, Offers::worthwhile * cost - nanoseconds(1), start);
        EXPECT_FALSE(offers.are_open(start + expected - nanoseconds(1))) << again;
        EXPECT_TRUE(offers.are_open(start + expected)) << again;
        expected = std::min<microseconds>(2 * expected, std::chrono::duration_cast<microseconds>(Offers::longest));
    }
    EXPECT_EQ(expected, Offers::longest);
    Offers::learn(offers, offers, cost, Offers::worthwhile * cost, start);
    Offers::learn(offers, offers, cost, nanoseconds(0), start);
    EXPECT_TRUE(offers.are_open(start + Offers::parts * cost)) << "a task that pays ends the growth";
}

TEST(Offers, AnExpensiveAnswerClosesThemForLonger) {
    Offers offers;
    microseconds const expensive(500);
    Offers::learn(offers, offers, expensive, nanoseconds(0), start);
    EXPECT_FALSE(offers.are_open(start + Offers::parts * expensive - nanoseconds(1)));
    EXPECT_TRUE(offers.are_open(start + Offers::parts * expensive));
}

// Along a list, each task is the rest of the list, so the worker that takes it is the next one to be asked.
TEST(Offers, TheTimeGrowsAlsoIfTheRestMovesFromWorkerToWorker) {
    Offers first, second, third;
    Offers::learn(first, second, cost, nanoseconds(0), start);
    EXPECT_TRUE(first.are_open(start));
    EXPECT_FALSE(second.are_open(start + Offers::parts * cost - nanoseconds(1)));
    Offers::learn(second, third, cost, nanoseconds(0), start);
    EXPECT_FALSE(third.are_open(start + 2 * Offers::parts * cost - nanoseconds(1)));
    EXPECT_TRUE(third.are_open(start + 2 * Offers::parts * cost));
    Offers::learn(second, first, cost, Offers::worthwhile * cost, start);
    Offers::learn(second, first, cost, nanoseconds(0), start);
    EXPECT_TRUE(first.are_open(start + Offers::parts * cost)) << "a task that pays ends the growth for both";
    third.reset(true);
    EXPECT_TRUE(third.are_open(start));
}

}  // namespace
}  // namespace lockstep::term_rewriting::compiled
