// Verification of whole outputs by the digest of a variant from another source file.

#include "harness/bench/whole_digests.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "harness/bench/runner.hpp"
#include "tests/harness/bench/temporary_folder.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::bench {
namespace {

class BenchWholeDigests : public testing::Test {
protected:
    BenchWholeDigests() : experiment_(toy::make_toy()) {
        for (Variant& variant : experiment_.variants)
            variant.source = variant.name == "right" ? "right" : "scalar";
    }

    PlannedCase planned(std::string const& variant, std::string const& factor = "3") const {
        Sweep sweep;
        sweep.name = "test";
        sweep.presets = {"quick"};
        sweep.axes = {{"factor", {factor}}};
        Selection selection;
        selection.machines = {Machine::cpu};
        selection.machines_are_explicit = true;
        selection.variant = variant;
        return plan_cases(experiment_, {sweep}, selection).at(0);
    }

    Variant const& variant(std::string const& name) const {
        return *std::find_if(experiment_.variants.begin(), experiment_.variants.end(),
                             [&](Variant const& one) { return one.name == name; });
    }

    CaseRecord record(std::string const& variant, std::uint64_t const digest, std::string const& verified) const {
        CaseRecord record;
        record.experiment = "toy";
        record.variant = variant;
        record.machine = "cpu";
        record.reference = "scalar";
        record.digest = digest;
        record.verified = verified;
        return record;
    }

    Experiment experiment_;
};

TEST_F(BenchWholeDigests, AnotherSourceVerifiesBothRows) {
    WholeDigests digests;
    CaseRecord first = record("scalar", 7, verified_sample);
    CaseRecord second = record("right", 7, verified_sample);
    EXPECT_EQ(digests.add(planned("scalar"), variant("scalar"), first), "");
    EXPECT_EQ(first.verified, "sample");
    EXPECT_EQ(digests.add(planned("right"), variant("right"), second), "");
    EXPECT_EQ(second.verified, "whole digest against scalar on cpu");
    std::vector<CaseRecord> const changed = digests.take_changed();
    ASSERT_EQ(changed.size(), 1u);
    EXPECT_EQ(changed[0].variant, "scalar");
    EXPECT_EQ(changed[0].verified, "whole digest against right on cpu");
    EXPECT_TRUE(digests.take_changed().empty());
}

TEST_F(BenchWholeDigests, TheSameSourceVerifiesNothing) {
    WholeDigests digests;
    CaseRecord first = record("scalar", 7, verified_sample);
    CaseRecord second = record("interrupts", 7, verified_sample);
    EXPECT_EQ(digests.add(planned("scalar"), variant("scalar"), first), "");
    EXPECT_EQ(digests.add(planned("interrupts"), variant("interrupts"), second), "");
    EXPECT_EQ(second.verified, "sample");
    EXPECT_TRUE(digests.take_changed().empty());
}

// A case that chose a variant of the same source, on another machine and therefore with other kernels.
TEST_F(BenchWholeDigests, TheSourceIsThatOfTheVariantThatRan) {
    WholeDigests digests;
    CaseRecord first = record("scalar", 7, verified_sample);
    CaseRecord second = record("right", 7, verified_sample);
    EXPECT_EQ(digests.add(planned("scalar"), variant("scalar"), first), "");
    EXPECT_EQ(digests.add(planned("right"), variant("interrupts"), second), "");
    EXPECT_EQ(second.verified, "sample");
}

// `auto` and the variant that it chose: two files, one kernel.
TEST_F(BenchWholeDigests, TheSameKernelsVerifyNothing) {
    WholeDigests digests;
    CaseRecord first = record("scalar", 7, verified_sample);
    CaseRecord second = record("right", 7, verified_sample);
    first.kernels.emplace_back().name = "queue";
    second.kernels = first.kernels;
    EXPECT_EQ(digests.add(planned("scalar"), variant("scalar"), first), "");
    EXPECT_EQ(digests.add(planned("right"), variant("right"), second), "");
    EXPECT_EQ(second.verified, "sample");
    second.kernels.front().name = "list";
    EXPECT_EQ(digests.add(planned("right"), variant("right"), second), "");
    EXPECT_EQ(second.verified, "whole digest against scalar on cpu");
}

TEST_F(BenchWholeDigests, EveryUnitStaysEveryUnit) {
    WholeDigests digests;
    CaseRecord first = record("scalar", 7, verified_every_unit);
    CaseRecord second = record("right", 7, verified_every_unit);
    EXPECT_EQ(digests.add(planned("scalar"), variant("scalar"), first), "");
    EXPECT_EQ(digests.add(planned("right"), variant("right"), second), "");
    EXPECT_EQ(second.verified, "every unit");
}

TEST_F(BenchWholeDigests, AnotherDigestOfTheSameProblemIsADifference) {
    WholeDigests digests;
    CaseRecord first = record("scalar", 7, verified_sample);
    CaseRecord second = record("right", 8, verified_sample);
    EXPECT_EQ(digests.add(planned("scalar"), variant("scalar"), first), "");
    EXPECT_EQ(digests.add(planned("right"), variant("right"), second), "its digest differs from that of scalar on cpu");
    CaseRecord other_problem = record("right", 9, verified_sample);
    other_problem.axes.set("factor", "5");
    EXPECT_EQ(digests.add(planned("right", "5"), variant("right"), other_problem), "");
    EXPECT_EQ(other_problem.verified, "sample");
}

// The reference has no time for more than a sample, so the runner needs the second variant.
TEST_F(BenchWholeDigests, TheRunnerUsesThem) {
    RunOptions options;
    options.budget.bytes = 0;
    CaseRunner runner(options);
    EXPECT_EQ(runner.run(planned("scalar")).verified, "sample");
    EXPECT_EQ(runner.run(planned("right")).verified, "whole digest against scalar on cpu");
    EXPECT_EQ(runner.take_changed().size(), 1u);
}

TEST_F(BenchWholeDigests, ASweepCanAskForEveryUnit) {
    RunOptions options;
    options.budget.seconds = 0;
    PlannedCase whole = planned("scalar");
    EXPECT_EQ(CaseRunner(options).run(whole).verified, "sample");
    whole.verify_every_unit = true;
    CaseRunner runner(options);
    EXPECT_EQ(runner.run(planned("scalar")).verified, "sample");
    EXPECT_EQ(runner.run(whole).verified, "every unit");
}

}  // namespace
}  // namespace lockstep::bench
