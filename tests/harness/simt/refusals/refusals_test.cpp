// The emulator rejects each faulty kernel with a message that names the kernel, block, warp, lane and source location.

#include "tests/harness/simt/refusals/refusals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/simt/emulator/options.hpp"
#include "harness/simt/emulator/shared_memory.hpp"
#include "harness/simt/error.hpp"

namespace lockstep::refusals {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;

std::string message_of(void (*launch)()) {
    try {
        launch();
    } catch (simt::Error const& error) {
        return error.what();
    }
    return "not refused";
}

struct Refusal {
    char const* name;
    void (*launch)();
    std::vector<std::string> says;
};

std::vector<Refusal> const refusals{
    {"divergent_barrier",
     emulator::divergent_barrier,
     {"divergent barrier", "'divergent_barrier_kernel'", "block (0,0,0)"}},
    {"divergent_collective", emulator::divergent_collective, {"divergent warp collective", "waits at", "refusals.cu:"}},
    {"mask_without_caller", emulator::mask_without_caller, {"does not name its caller", "'mask_kernel'", "lane "}},
    {"mask_with_absent_lane", emulator::mask_with_absent_lane, {"absent lane", "warp 1", "lane 0"}},
    {"mask_with_exited_lane", emulator::mask_with_exited_lane, {"exited lane", "lane 5"}},
    {"mask_with_lane_that_exits", emulator::mask_with_lane_that_exits, {"exited lane", "lane 5"}},
    {"shuffle_from_outside_the_mask", emulator::shuffle_from_outside_the_mask, {"outside the mask (lane 2)"}},
    {"shuffle_of_odd_width", emulator::shuffle_of_odd_width, {"width=12"}},
    {"unset_shared_memory", emulator::unset_shared_memory, {"use of unset shared memory", "lane 6", "refusals.cu:"}},
    {"index_past_a_shared_array", emulator::index_past_a_shared_array, {"outside a shared array", "lane 31"}},
    {"shared_struct_larger_than_the_launch",
     emulator::shared_struct_larger_than_the_launch,
     {"larger than the launch's"}},
    {"words_past_the_launch", emulator::words_past_the_launch, {"outside the block's shared memory", "lane 31"}},
    {"unset_words", emulator::unset_words, {"use of unset shared memory", "lane 2"}},
    {"lanes_that_wait_for_each_other",
     emulator::lanes_that_wait_for_each_other,
     {"no lane can proceed", "lane 0", "lane 1"}},
    {"endless_sleep", emulator::endless_sleep, {"no lane can proceed", "only wait in polling loops"}},
    {"lock_held_over_a_barrier",
     emulator::lock_held_over_a_barrier,
     {"no lane can proceed", "repeat atomics or reads of volatile values, and nothing changes", "lane 0",
      "at the block's barrier", "lane 1"}},
    {"too_many_threads", emulator::too_many_threads, {"1056 threads"}},
    {"too_much_shared_memory", emulator::too_much_shared_memory, {"232449 bytes"}},
    {"empty_grid", emulator::empty_grid, {"empty launch"}},
    {"too_many_cooperative_blocks", emulator::too_many_cooperative_blocks, {"resident"}},
    {"exception_in_a_lane", emulator::exception_in_a_lane, {"lane three is unwell", "lane 3"}},
};

class Refused : public testing::TestWithParam<Refusal> {};

INSTANTIATE_TEST_SUITE_P(Kernels, Refused, testing::ValuesIn(refusals), [](auto const& row) { return row.param.name; });

TEST_P(Refused, WithAMessageThatNamesTheLocation) {
    std::string const message = message_of(GetParam().launch);
    for (std::string const& part : GetParam().says) {
        EXPECT_NE(message.find(part), std::string::npos) << message;
    }
}

TEST_P(Refused, InEveryLaneOrder) {
    for (Options const& order : {Options{LaneOrder::descending, 0, 1, 60}, Options{LaneOrder::random, 5, 2, 60}}) {
        ScopedOptions const scope(order);
        EXPECT_NE(message_of(GetParam().launch), "not refused");
    }
}

// The message gives the line of both call sites.
TEST(DivergentBarrier, NamesBothLines) {
    std::string const message = message_of(emulator::divergent_barrier);
    EXPECT_EQ(std::count(message.begin(), message.end(), ':'), 2) << message;
}

// `auto x = shared.array[i]` would refer to the element, where CUDA copies it: such an x cannot be read.
using Element = simt::emulator::SharedReference<float>;
static_assert(std::is_convertible_v<Element, float>);
static_assert(!std::is_convertible_v<Element&, float> && !std::is_convertible_v<Element const&, float>);

TEST(EndlessTurnDeathTest, EndsTheProgramAndNamesTheLane) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(emulator::endless_turn(), testing::ExitedWithCode(1),
                "a lane has not ended its turn .*thread \\(0,0,0\\) in kernel 'plain_spin_kernel', block \\(0,0,0\\), "
                "warp 0, lane 0");
}

TEST(IdleLanes, MayPollWhileAnotherWorks) { EXPECT_EQ(message_of(emulator::poll_while_another_works), "not refused"); }

// A failed launch does not affect later launches.
TEST(SpinWait, MakesProgressInEveryOrderAndAfterAnError) {
    EXPECT_NE(message_of(emulator::divergent_barrier), "not refused");
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random}) {
        ScopedOptions const scope(Options{order, 3, 1, 60});
        EXPECT_EQ(message_of(emulator::spin_on_another_lane), "not refused");
        std::vector<unsigned> const words = emulator::words_of_a_launch();
        ASSERT_EQ(words.size(), 32u);
        for (unsigned lane = 0; lane < 32; ++lane)
            EXPECT_EQ(words[lane], lane ^ 1);
    }
}

}  // namespace
}  // namespace lockstep::refusals
