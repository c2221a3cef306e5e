// The kernels that measure limits compute correct results in the emulator and on the CPU.

#include "harness/simt/emulator/options.hpp"
#include "tests/harness/limits/probe_checks.hpp"

namespace lockstep::limits {
namespace {

using simt::Machine;

TEST(LimitKernels, AreCorrectInTheEmulatorInEveryLaneOrder) {
    using simt::emulator::LaneOrder;
    auto const stopwatch = bench::make_stopwatch(Machine::emulator);
    Scale const scale = Scale::tiny();
    auto const limits = limits_of(Machine::emulator, scale);
    check_names(limits);
    for (char const* const name : {"copy", "l2.read", "l2.write", "random_load.4KB", "fma", "fma.double", "imad",
                                   "imad.high", "popc", "random_words.taus88", "launch", "grid_barrier.4"}) {
        EXPECT_TRUE(has_limit(limits, name)) << name;
    }
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random}) {
        simt::emulator::Options options;
        options.order = order;
        simt::emulator::ScopedOptions const scope(options);
        for (Limit const& limit : limits) {
            check_probe(limit, scale, *stopwatch);
        }
    }
}

TEST(LimitKernels, AreCorrectOnTheCpu) {
    auto const stopwatch = bench::make_stopwatch(Machine::cpu);
    Scale const scale = Scale::tiny();
    auto const limits = limits_of(Machine::cpu, scale);
    ASSERT_EQ(limits.size(), 4u);
    check_names(limits);
    for (Limit const& limit : limits) {
        check_probe(limit, scale, *stopwatch);
    }
}

// The working set is a whole number of rows, and at least one.
TEST(LimitKernels, TheCachedWorkingSetIsAtMostWhatTheScaleAllows) {
    auto const items = [](std::uint64_t cached_bytes) {
        Scale scale = Scale::tiny();
        scale.cached_bytes = cached_bytes;
        for (Limit const& limit : limits_of(Machine::emulator, scale)) {
            if (limit.name == "l2.write") {
                return limit.make(scale)->items();
            }
        }
        return 0.0;
    };
    double const row = items(1);
    EXPECT_GT(row, 0);
    double const row_bytes = row / Scale::tiny().repetitions(300);
    EXPECT_EQ(items(static_cast<std::uint64_t>(row_bytes)), row);
    EXPECT_EQ(items(static_cast<std::uint64_t>(3.9 * row_bytes)), 3 * row);
}

TEST(LimitKernels, NamesOfTablesAreShort) {
    EXPECT_EQ(size_name(1), "1B");
    EXPECT_EQ(size_name(1023), "1023B");
    EXPECT_EQ(size_name(1024), "1KB");
    EXPECT_EQ(size_name(std::uint64_t{4} << 20), "4MB");
    EXPECT_EQ(size_name(std::uint64_t{8} << 30), "8GB");
    EXPECT_EQ(size_name(std::uint64_t{1} << 40), "1024GB");
}

TEST(LimitKernels, ScaleKeepsAtLeastTwoRepetitions) {
    Scale scale;
    EXPECT_EQ(scale.repetitions(2400), 2400u);
    scale.length = 0.5;
    EXPECT_EQ(scale.repetitions(2400), 1200u);
    scale.length = 0;
    EXPECT_EQ(scale.repetitions(2400), 2u);
}

}  // namespace
}  // namespace lockstep::limits
