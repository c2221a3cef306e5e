#include "harness/simt/devices.hpp"
#include "tests/object_layout/population_tests.hpp"
#include "tests/object_layout/section_tests.hpp"

namespace lockstep::object_layout::tests {
namespace {

class SectionsOnGpu : public testing::Test {
protected:
    void SetUp() override {
        if (simt::cuda_devices().devices.empty())
            GTEST_SKIP() << "no GPU (" << simt::cuda_devices().reason << ")";
    }
};

TEST_F(SectionsOnGpu, MapReduceSelectEach) { check_sections(cuda::run_sections); }
TEST_F(SectionsOnGpu, SendAndFetchOnlyDeclaredColumns) { check_transfers(cuda::run_transfers); }
TEST_F(SectionsOnGpu, StoreFieldsInEveryLayout) { check_records(cuda::run_records); }
TEST_F(SectionsOnGpu, CallMethodsByClassTag) { check_dispatch(cuda::run_dispatch); }
TEST_F(SectionsOnGpu, CreateAndDeleteObjectsDensely) { check_population(cuda::run_population); }
TEST_F(SectionsOnGpu, MapReduceAndSelectObjects) { check_over_objects(cuda::run_over_objects); }
TEST_F(SectionsOnGpu, RejectAGraphLargerThanMemory) {
    EXPECT_NE(cuda::too_large_error().find("larger than the device's memory"), std::string::npos);
}
TEST_F(SectionsOnGpu, RejectAgentsOfAnUnknownClass) {
    EXPECT_NE(cuda::unknown_class_error().find("an agent has an unknown class"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::object_layout::tests
