// Units, expected values and rows of the report.

#include "harness/bench/limits/report.hpp"

#include <gtest/gtest.h>

namespace lockstep::limits {
namespace {

Limit limit_of(std::string const& name, std::string const& item, Quantity quantity = Quantity::rate) {
    return {name, item, "", simt::Machine::cuda, quantity, true, {}};
}

DeviceFacts h200() {
    DeviceFacts facts;
    facts.device.name = "NVIDIA H200";
    facts.device.compute_capability_major = 9;
    facts.device.multiprocessors = 132;
    facts.memory_bytes_per_second = 4.9e12;
    return facts;
}

LimitRow fma_row() {
    LimitRow row;
    row.measured.limit = limit_of("fma", "FMA");
    row.measured.status = bench::Status::ok;
    row.measured.value = 33e12;
    row.measured.low = 32e12;
    row.measured.high = 34e12;
    row.measured.clock_hz = 1.98e9;
    row.measured.per_unit_and_clock = 126.3;
    row.documented = documented(row.measured.limit, h200(), 1.98e9);
    return row;
}

TEST(LimitReport, ValuesAreReadable) {
    EXPECT_EQ(value_text(limit_of("fma", "FMA"), 33.1e12), "33.10 T FMA/s");
    EXPECT_EQ(value_text(limit_of("copy", "B"), 4.31e12), "4.310 TB/s");
    EXPECT_EQ(value_text(limit_of("random_load.4MB", "loads"), 162e9), "162.0 G loads/s");
    EXPECT_EQ(value_text(limit_of("x", "loads"), 999), "999.0 loads/s");
    EXPECT_EQ(value_text(limit_of("launch", "launches", Quantity::duration), 2.7e-6), "2.700 us");
    EXPECT_EQ(value_text(limit_of("launch", "launches", Quantity::duration), 2), "2.000 s");
    EXPECT_EQ(unit_of(limit_of("launch", "launches", Quantity::duration)), "s");
    EXPECT_EQ(unit_of(limit_of("copy", "B")), "B/s");
}

TEST(LimitReport, ExpectationsFollowTheDevice) {
    EXPECT_DOUBLE_EQ(documented(limit_of("fma", "FMA"), h200(), 1.98e9)->value, 128.0 * 132 * 1.98e9);
    EXPECT_DOUBLE_EQ(documented(limit_of("copy", "B"), h200(), 1.98e9)->value, 4.9e12);
    EXPECT_FALSE(documented(limit_of("fma", "FMA"), h200(), 0).has_value());
    EXPECT_FALSE(documented(limit_of("fma.three_registers", "FMA"), h200(), 1.98e9).has_value());
    EXPECT_EQ(lanes_per_clock("fma", 8, 0), 64);
    EXPECT_EQ(lanes_per_clock("fma", 8, 6), 128);
    EXPECT_FALSE(lanes_per_clock("fma", 99, 0).has_value());
    EXPECT_FALSE(lanes_per_clock("redux", 7, 5).has_value());
    EXPECT_DOUBLE_EQ(measured_before("random_load.4MB", "NVIDIA H200")->value, 162e9);
    EXPECT_FALSE(measured_before("random_load.4MB", "NVIDIA A100").has_value());
    EXPECT_FALSE(measured_before("no_such_limit", "NVIDIA H200").has_value());
}

TEST(LimitReport, ALimitWithoutADocumentHasNoExpectation) {
    EXPECT_FALSE(documented(limit_of("l2.read", "B"), h200(), 1.98e9).has_value());
    EXPECT_FALSE(documented(limit_of("imad.high", "IMAD.HI"), h200(), 1.98e9).has_value());
    EXPECT_FALSE(documented(limit_of("launch.graph", "launches", Quantity::duration), h200(), 1.98e9).has_value());
}

TEST(LimitReport, FunctionalUnitsHaveTheirNumberOfLanes) {
    EXPECT_DOUBLE_EQ(documented(limit_of("mufu.ex2", "MUFU"), h200(), 2e9)->value, 16.0 * 132 * 2e9);
    EXPECT_EQ(lanes_per_clock("fma.double", 9, 0), 64);
    EXPECT_EQ(lanes_per_clock("fma.double", 8, 0), 32);
    EXPECT_EQ(lanes_per_clock("fma.double", 8, 9), 2);
}

TEST(LimitReport, TheLinkToTheHostIsThatOfTheDataSheet) {
    auto const link = [](char const* limit, char const* device) {
        DeviceFacts facts = h200();
        facts.device.name = device;
        return documented(limit_of(limit, "B"), facts, 1.98e9);
    };
    EXPECT_DOUBLE_EQ(link("pcie.to_host", "NVIDIA H200")->value, 64e9);
    EXPECT_DOUBLE_EQ(link("pcie.to_device", "NVIDIA H100 80GB HBM3")->value, 64e9);
    EXPECT_DOUBLE_EQ(link("pcie.both", "NVIDIA H200")->value, 128e9);
    EXPECT_DOUBLE_EQ(link("pcie.to_host", "NVIDIA A100-SXM4-80GB")->value, 32e9);
    EXPECT_FALSE(link("pcie.to_host", "NVIDIA GH200 480GB").has_value());
    EXPECT_FALSE(link("pcie.to_host", "NVIDIA L4").has_value());
}

TEST(LimitReport, OnlyValidMeasurementsBecomeLimits) {
    LimitRow wrong;
    wrong.measured.limit = limit_of("popc", "POPC");
    wrong.measured.status = bench::Status::disagrees;
    wrong.measured.reason = "word 7 is wrong";
    bench::Limits const limits = counted_limits({fma_row(), wrong});
    ASSERT_EQ(limits.size(), 2u);
    EXPECT_DOUBLE_EQ(limits.at("fma").value, 33e12);
    EXPECT_EQ(limits.at("fma").unit, "FMA/s");
    EXPECT_DOUBLE_EQ(limits.at("clock").value, 1.98e9);
    EXPECT_NE(table_line(wrong).find("disagrees: word 7 is wrong"), std::string::npos);
}

TEST(LimitReport, RowsHaveTheResultsFormat) {
    bench::CaseRecord const record = case_record(fma_row());
    EXPECT_EQ(record.name, "limits/fma/cuda");
    EXPECT_EQ(record.experiment, "limits");
    EXPECT_DOUBLE_EQ(record.metrics.at("value"), 33e12);
    EXPECT_DOUBLE_EQ(record.metrics.at("per_multiprocessor_and_clock"), 126.3);
    std::string const line = table_line(fma_row());
    EXPECT_NE(line.find("126.30"), std::string::npos);
    EXPECT_NE(line.find("0.99"), std::string::npos);
    EXPECT_LE(line.size(), 120u);
    EXPECT_EQ(line.size(), table_heading(simt::Machine::cuda).size());
    LimitRow cpu = fma_row();
    cpu.measured.limit.machine = simt::Machine::cpu;
    EXPECT_EQ(table_line(cpu).size(), table_heading(simt::Machine::cpu).size());
}

}  // namespace
}  // namespace lockstep::limits
