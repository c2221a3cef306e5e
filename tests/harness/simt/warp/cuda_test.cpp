// The same on a GPU.

#include "harness/simt/devices.hpp"
#include "tests/harness/simt/warp/expected.hpp"

namespace lockstep::warp_operations {
namespace {

TEST(CudaWarpOperations, AreRightInEveryLane) {
    simt::DeviceList const list = simt::cuda_devices();
    if (list.devices.empty())
        GTEST_SKIP() << "no GPU (" << list.reason << ")";
    std::vector<Lane> const lanes = some_lanes();
    expect_operations(lanes, cuda::run(lanes));
}

}  // namespace
}  // namespace lockstep::warp_operations
