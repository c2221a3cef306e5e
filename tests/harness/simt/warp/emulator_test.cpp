// Warp sums, scans and ranks in the emulator, in every lane order, and division rounded up.

#include <cstdint>

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/emulator/options.hpp"
#include "tests/harness/simt/warp/expected.hpp"

namespace lockstep::warp_operations {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;

class WarpOperations : public testing::TestWithParam<Options> {};

INSTANTIATE_TEST_SUITE_P(Orders, WarpOperations,
                         testing::Values(Options{LaneOrder::ascending, 0, 1, 60},
                                         Options{LaneOrder::descending, 0, 1, 60},
                                         Options{LaneOrder::random, 9, 2, 60}));

TEST_P(WarpOperations, AreRightInEveryLane) {
    simt::emulator::ScopedOptions const scope(GetParam());
    std::vector<Lane> const lanes = some_lanes();
    expect_operations(lanes, emulator::run(lanes));
}

TEST(CeilDiv, RoundsUp) {
    for (unsigned divisor = 1; divisor < 70; ++divisor) {
        for (unsigned value = 0; value < 300; ++value) {
            unsigned const parts = simt::ceil_div(value, divisor);
            EXPECT_GE(parts * divisor, value);
            EXPECT_LT(parts * divisor, value + divisor);
            EXPECT_EQ(simt::round_up(value, divisor), parts * divisor);
        }
    }
}

TEST(CeilDiv, KeepsTheWiderType) {
    static_assert(simt::ceil_div((std::uint64_t{1} << 40) + 1, 2u) == (std::uint64_t{1} << 39) + 1);
    static_assert(simt::round_up((std::uint64_t{1} << 40) + 1, 256u) == (std::uint64_t{1} << 40) + 256);
    EXPECT_EQ(simt::ceil_div(7u, std::uint64_t{2}), 4u);
}

}  // namespace
}  // namespace lockstep::warp_operations
