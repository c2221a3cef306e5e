// The three probes on a GPU: the same checks, equality with the emulator's grids, and sizes that fill the GPU.

#include "harness/simt/devices.hpp"
#include "tests/harness/simt/probes/checks.hpp"

namespace lockstep::probes {
namespace {

class CudaProbes : public testing::Test {
protected:
    void SetUp() override {
        simt::DeviceList const list = simt::cuda_devices();
        if (list.devices.empty()) {
            GTEST_SKIP() << "no GPU (" << list.reason << ")";
        }
    }
};

TEST_F(CudaProbes, WarpwiseHalvingEqualsTheEmulator) {
    for (unsigned const occupied : {0u, 1u, 512u, 1023u, 1024u}) {
        EXPECT_EQ(cuda::draw_grids(33, occupied, 7), emulator::draw_grids(33, occupied, 7)) << occupied;
    }
    expect_exact_grids(cuda::draw_grids(10001, 323, 3), 10001, 323);
}

TEST_F(CudaProbes, CompactionEvaluatesEachEnabledValueOnce) {
    for (unsigned const range : {1u, 31u, 32u, 33u, 4095u}) {
        expect_each_enabled_once(cuda::compact(65, range, 32), 65, range);
    }
}

TEST_F(CudaProbes, AllocatorGivesEachIndexOnce) {
    for (Allocation const& wanted :
         {Allocation{1, 1, 1, 0}, Allocation{2, 33, 3, 10}, Allocation{132, 1024, 8, 5000}}) {
        expect_distinct_indices(cuda::allocate(wanted), wanted);
    }
}

}  // namespace
}  // namespace lockstep::probes
