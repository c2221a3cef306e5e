// The same tests on a GPU, which confirm the values expected from the emulator.

#include <gtest/gtest.h>

#include "harness/simt/devices.hpp"
#include "tests/harness/simt/collectives/expected.hpp"

namespace lockstep::collectives {
namespace {

class CudaCollectives : public testing::Test {
protected:
    void SetUp() override {
        simt::DeviceList const list = simt::cuda_devices();
        if (list.devices.empty()) {
            GTEST_SKIP() << "no GPU (" << list.reason << ")";
        }
    }
};

TEST_F(CudaCollectives, MatchTheProgrammingGuide) { EXPECT_EQ(cuda::run_collectives(), expected_collectives()); }

TEST_F(CudaCollectives, IndicesOfThreeDimensions) { EXPECT_EQ(cuda::run_indices(), expected_indices()); }

TEST_F(CudaCollectives, BarriersIgnoreExitedLanes) {
    for (unsigned const threads : {1u, 31u, 32u, 33u, 1023u, 1024u}) {
        EXPECT_EQ(cuda::run_early_exit(threads), expected_early_exit(threads));
    }
}

}  // namespace
}  // namespace lockstep::collectives
