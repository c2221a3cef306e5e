#include "harness/simt/emulator/options.hpp"
#include "tests/object_layout/population_tests.hpp"
#include "tests/object_layout/section_tests.hpp"

namespace lockstep::object_layout::tests {
namespace {

TEST(Sections, MapReduceSelectEach) {
    using simt::emulator::LaneOrder;
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random}) {
        simt::emulator::Options options;
        options.order = order;
        simt::emulator::ScopedOptions const scope(options);
        check_sections(emulator::run_sections);
    }
}

TEST(Sections, SendAndFetchOnlyDeclaredColumns) { check_transfers(emulator::run_transfers); }

TEST(Sections, StoreFieldsInEveryLayout) { check_records(emulator::run_records); }
TEST(Sections, CallMethodsByClassTag) { check_dispatch(emulator::run_dispatch); }
TEST(Sections, CreateAndDeleteObjectsDensely) { check_population(emulator::run_population); }
TEST(Sections, MapReduceAndSelectObjects) { check_over_objects(emulator::run_over_objects); }

TEST(Sections, RejectAGraphLargerThanMemory) {
    EXPECT_NE(emulator::too_large_error().find("larger than the device's memory"), std::string::npos);
}

TEST(Sections, RejectAgentsOfAnUnknownClass) {
    EXPECT_NE(emulator::unknown_class_error().find("an agent has an unknown class"), std::string::npos);
}

// The recording accessor rejects undeclared fields by name and permits declared ones.
TEST(Sections, RejectUndeclaredAccesses) {
    EXPECT_NE(emulator::error_of_access("read").find("field Car.second is read but not declared"), std::string::npos);
    EXPECT_NE(emulator::error_of_access("write").find("field Car.first is written but not declared"),
              std::string::npos);
    EXPECT_NE(emulator::error_of_access("index").find("is beyond the column Car.first"), std::string::npos);
    EXPECT_EQ(emulator::error_of_access("declared"), "");
}

}  // namespace
}  // namespace lockstep::object_layout::tests
