// Tests the kernel in many orders of the lanes.

#include "reverse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "harness/simt/kernel_test.hpp"

namespace {

class ReverseBlocks : public lockstep::simt::KernelTest {};

TEST_F(ReverseBlocks, ReversesEveryBlock) {
    std::vector<float> values(256);
    std::iota(values.begin(), values.end(), 0.0F);
    std::vector<float> expected = values;
    for (auto first = expected.begin(); first != expected.end(); first += 64)
        std::reverse(first, first + 64);

    in_every_order([&] { EXPECT_EQ(reverse::emulator::reversed(values, true), expected); });
}

}  // namespace
