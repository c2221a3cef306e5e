// Each mistake is reported with its place, and no right kernel is, in 20 seeds.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "harness/simt/emulator/options.hpp"
#include "harness/simt/error.hpp"
#include "harness/simt/hooks/checks.hpp"
#include "tests/harness/simt/hooks/cases.hpp"

namespace lockstep::hook_tests {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;
using simt::hooks::Checks;
using simt::hooks::Problem;
using simt::hooks::Report;

std::vector<Report> reports_of(void (*launch)(), LaneOrder order = LaneOrder::ascending, std::uint64_t seed = 0) {
    ScopedOptions const scope(Options{order, seed, 1, 20});
    Checks checks;
    try {
        launch();
    } catch (simt::Error const& error) {
        // The error of a launch that ended early is that of its last report.
        if (checks.reports().empty() || checks.reports().back().text() != error.what()) {
            ADD_FAILURE() << error.what();
        }
    }
    return checks.reports();
}

emulator::Case const& named(std::span<emulator::Case const> cases, std::string const& name) {
    return *std::find_if(cases.begin(), cases.end(), [&](emulator::Case const& one) { return one.name == name; });
}

// The number of the line that is marked HERE `mark`.
unsigned line_marked(std::string const& mark) {
    std::ifstream source("tests/harness/simt/hooks/memory_mistakes.cu");
    std::string line;
    for (unsigned number = 1; std::getline(source, line); ++number) {
        if (line.ends_with("HERE " + mark)) {
            return number;
        }
    }
    return 0;
}

TEST(Hooks, every_race_is_reported_in_every_order) {
    for (emulator::Case const& wrong : emulator::races()) {
        for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random}) {
            std::vector<Report> const reports = reports_of(wrong.launch, order);
            ASSERT_FALSE(reports.empty()) << wrong.name;
            EXPECT_EQ(reports.front().problem, Problem::race) << reports.front().text();
            EXPECT_TRUE(reports.front().has_other);
        }
    }
}

TEST(Hooks, right_kernels_are_not_reported) {
    for (emulator::Case const& right : emulator::right_kernels()) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            LaneOrder const order = seed % 2 == 0 ? LaneOrder::random : LaneOrder::unfair;
            for (Report const& report : reports_of(right.launch, order, seed)) {
                FAIL() << right.name << ", seed " << seed << ": " << report.text();
            }
        }
    }
}

TEST(Hooks, a_mistake_is_reported_with_its_kind_and_line) {
    struct Expected {
        char const* name;
        Problem problem;
        char const* mark;  // or null: any line
        char const* says;
    };
    Expected const all[] = {
        {"read_past_end", Problem::out_of_bounds, "copy",
         "read outside a buffer (0 bytes behind a buffer of 256 bytes) in kernel 'k', block (1,0,0), thread (31,0,0), "
         "warp 0, lane 31, at tests/harness/simt/hooks/memory_mistakes.cu:"},
        {"write_past_end", Problem::out_of_bounds, "store",
         "write outside a buffer (0 bytes behind a buffer of 256 bytes) in kernel 'k', block (0,0,0), thread (31,0,0)"},
        {"write_before_begin", Problem::out_of_bounds, "store",
         "write outside a buffer (4 bytes before a buffer of 256 bytes)"},
        {"write_far_away", Problem::bad_address, "store", "write at an address that is not mapped (0x"},
        {"misaligned", Problem::bad_address, "misaligned",
         "misaligned read (the address of 8 bytes is not a multiple of 8) in kernel 'k', block (0,0,0), thread "
         "(0,0,0)"},
        {"shared_past_end", Problem::out_of_bounds, "read_shared",
         "read outside the block's shared memory (0 bytes behind its 256 bytes)"},
        {"unset_shared", Problem::unset_memory, "read_unset_shared",
         "use of unset shared memory (nothing has been written to byte 20 of shared memory)"},
        {"unset_global", Problem::unset_memory, "copy",
         "use of unset global memory (nothing has been written to byte 0 of a buffer of 256 bytes)"},
        {"unset_after_partial_upload", Problem::unset_memory, "copy", "byte 252 of a buffer of 256 bytes"},
        {"host_pointer", Problem::not_device_memory, "copy", "is a host pointer"},
        {"host_variable", Problem::not_device_memory, "copy", "is a host pointer"},
        {"null_pointer", Problem::null_pointer, "copy", "read through a null pointer (address 0x0)"},
        {"use_after_free", Problem::freed_memory, "copy",
         "read of freed memory (byte 0 of a buffer of 256 bytes that the host has freed)"},
        {"division_by_zero", Problem::division_by_zero, "divide", "division by zero"},
        {"deep_stack", Problem::stack_overflow, nullptr, "stack overflow (a lane's calls need more than 208 KiB"},
    };
    EXPECT_EQ(std::size(all), emulator::memory_mistakes().size());
    for (Expected const& expected : all) {
        std::vector<Report> const reports = reports_of(named(emulator::memory_mistakes(), expected.name).launch);
        ASSERT_EQ(reports.size(), 1u) << expected.name;
        Report const& report = reports.front();
        EXPECT_EQ(report.problem, expected.problem) << report.text();
        EXPECT_NE(report.text().find(expected.says), std::string::npos) << report.text();
        if (expected.mark != nullptr) {
            EXPECT_EQ(report.where.at.line, line_marked(expected.mark)) << report.text();
        }
    }
}

TEST(Hooks, a_race_names_both_lanes) {
    std::vector<Report> const reports = reports_of(named(emulator::races(), "no_barrier").launch);
    ASSERT_EQ(reports.size(), 1u);
    // In ascending order lane 0 has written and read when lane 63 writes.
    Report const& report = reports.front();
    EXPECT_EQ(report.other.thread.x, 63 - report.where.thread.x);
    EXPECT_NE(report.text().find("race in shared memory ("), std::string::npos) << report.text();
    EXPECT_NE(report.text().find(", no __syncthreads between) in kernel 'k', block (0,0,0), thread ("),
              std::string::npos)
        << report.text();
    EXPECT_NE(report.other.at.line, report.where.at.line);
}

TEST(Hooks, a_pair_of_lines_is_reported_once_however_many_lanes_race) {
    for (char const* name : {"increment", "same_value", "no_second_barrier"}) {
        std::set<std::string> pairs;
        for (Report const& report : reports_of(named(emulator::races(), name).launch)) {
            auto const [one, two] = std::minmax(report.where.at.line, report.other.at.line);
            EXPECT_TRUE(pairs.insert(std::to_string(one) + "-" + std::to_string(two)).second) << report.text();
        }
    }
}

TEST(Hooks, without_checks_a_launch_is_not_observed) {
    named(emulator::races(), "increment").launch();
    Checks const checks;
    EXPECT_TRUE(checks.reports().empty());
}

}  // namespace
}  // namespace lockstep::hook_tests
