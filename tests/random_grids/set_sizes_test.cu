// The count of drawn sets with another number of sites than asked for: sets written by hand, and a kernel that draws one
// wrong set.

#include "common/random_grids/set_sizes.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "common/random_grids/grid_case.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Sets of 40 sites in two words. Set `board` of stream `unit` has its three lowest sites, except for one planted set,
// which has four.
__global__ void three_lowest(__grid_constant__ GridParameters const p, unsigned* const results) {
    unsigned long long const stream = global_thread();
    if (stream >= p.streams)
        return;
    Sink<true> sink = threadwise_sink<true>(results, stream, words_of_stream(p, true));
    for (unsigned board = 0; board < p.length; ++board) {
        bool const planted = p.first_unit + stream == 70 && board == 2;
        sink.put(planted ? 0xFu : 0x7u);
        sink.put(0);
    }
}

namespace {

#if defined(__CUDACC__)
#define SET_SIZES_TEST RandomGridsSetSizesCuda
#else
#define SET_SIZES_TEST RandomGridsSetSizesEmulator
#endif

class SET_SIZES_TEST : public testing::Test {
protected:
    void SetUp() override {
        constexpr bool on_gpu = simt::LOCKSTEP_MACHINE::machine == simt::Machine::cuda;
        if (on_gpu && simt::cuda_devices().devices.empty())
            GTEST_SKIP() << "no GPU: " << simt::cuda_devices().reason;
    }
};

GridParameters parameters_of(unsigned width, std::uint64_t streams, unsigned length, unsigned occupied) {
    GridParameters p;
    p.streams = streams;
    p.length = length;
    p.height = 1;
    p.width = width;
    p.words_per_row = simt::ceil_div(width, 32u);
    p.planes = 1;
    p.occupied[0] = occupied;
    return p;
}

TEST_F(SET_SIZES_TEST, CountsSetsWrittenByHand) {
    // Two streams of two sets of 32 sites, not interleaved: sizes 2, 2, 3 and 2.
    std::vector<unsigned> const words = {0x3, 0x80000001, 0x7, 0x30};
    Buffer<unsigned> stored = upload_table(words);
    GridParameters const p = parameters_of(32, 2, 2, 2);
    SetSizes const sizes = stored_set_sizes(p, {2, 2, 1}, stored.data());
    EXPECT_EQ(sizes.checked, 4);
    EXPECT_EQ(sizes.others, 1);
}

TEST_F(SET_SIZES_TEST, FindsThePlantedSetAmongDrawnOnes) {
    GridLaunch<GridParameters> launch;
    launch.kernel = three_lowest;
    launch.parameters = parameters_of(40, 100, 5, 3);
    SetSizes const sizes = drawn_set_sizes("three_lowest", launch);
    EXPECT_EQ(sizes.checked, 500);
    EXPECT_EQ(sizes.others, 1);
    launch.parameters.first_unit = 71;  // past the planted set
    EXPECT_EQ(drawn_set_sizes("three_lowest", launch).others, 0);
    launch.parameters.occupied[0] = 4;  // now all sets but one are wrong
    launch.parameters.first_unit = 0;
    EXPECT_EQ(drawn_set_sizes("three_lowest", launch).others, 499);
}

TEST_F(SET_SIZES_TEST, PartsAreFullGroupsOfInterleavedStreams) {
    EXPECT_EQ(streams_at_a_time({1000, 1u << 30, 32}), 32u);
    EXPECT_EQ(streams_at_a_time({1000, 1u << 20, 32}), 512u);
    EXPECT_EQ(streams_at_a_time({1000, 3u << 19, 32}) % 32, 0u);
}

}  // namespace

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
