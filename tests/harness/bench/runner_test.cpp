// The runner with the toy experiment: correct variants get a time, faulty variants get none and set the exit code.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/bench/forwarding_case.hpp"
#include "harness/bench/runner.hpp"
#include "tests/harness/bench/runner_fixture.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::bench {
namespace {

using toy::BenchRunner;
using toy::planned;
using toy::repetitions;
using toy::run_one;

// Expects this status, a reason that contains `part`, no time in any form, and an exit code that means failure.
void expect_found_out(CaseRecord const& record, Status const status, std::string const& part) {
    EXPECT_EQ(to_string(record.status), to_string(status)) << record.reason;
    EXPECT_NE(record.reason.find(part), std::string::npos) << record.reason;
    EXPECT_FALSE(record.time.has_value());
    EXPECT_TRUE(record.timing_document.empty());
    EXPECT_TRUE(is_failure(record.status));
}

TEST_F(BenchRunner, TimesACorrectVariant) {
    CaseRecord const record = run_one("right");
    EXPECT_EQ(to_string(record.status), "ok") << record.reason;
    ASSERT_TRUE(record.time.has_value());
    EXPECT_LE(record.time->low, record.time->median);
    EXPECT_LE(record.time->median, record.time->high);
    EXPECT_EQ(record.repetitions, repetitions);
    EXPECT_EQ(record.verified_units, 33u);
    EXPECT_EQ(record.units_total, 33u);
    EXPECT_GT(record.launches_per_sample, 1u);  // 33 units take far less than 50 us
    EXPECT_EQ(record.metrics.at("words"), 3.0);
    EXPECT_EQ(record.work.items, 33.0);
}

// A variant whose case does the work of another one, as after a choice by measurement.
class AsAnother : public ForwardingCase {
public:
    AsAnother(Variant const& variant, Problem const& problem)
        : ForwardingCase(variant.make(problem)), variant_(variant) {}
    Variant const* chosen_variant() const override { return &variant_; }

private:
    Variant const& variant_;
};

// Runs a variant that would take `expected`, and whose case does the work of `chosen`. The reference "other" has other
// results than "scalar"; the variant `right` of it is called `other`.
CaseRecord run_as(std::string const& chosen, std::string const& expected) {
    Experiment experiment = toy::make_toy();
    auto const named = [&](std::string const& name) {
        return *std::find_if(experiment.variants.begin(), experiment.variants.end(), [&](Variant const& variant) {
            return variant.name == name && variant.machine == Machine::cpu;
        });
    };
    Reference alike = experiment.reference("scalar");
    alike.name = "alike";
    Reference other = alike;
    other.name = "other";
    other.unit = [](Problem const&, std::uint64_t) { return UnitResult{0, 0, 0}; };
    experiment.references.push_back(alike);
    experiment.references.push_back(other);
    for (std::string const name : {"alike", "other"}) {
        Variant variant = named("right");
        variant.name = variant.reference = name;
        experiment.variants.push_back(variant);
    }
    Variant const worker = named(chosen);
    Variant chooser = named(expected);
    chooser.name = "chooser";
    chooser.make = [&worker](Problem const& problem) { return std::make_unique<AsAnother>(worker, problem); };
    experiment.variants.push_back(chooser);
    return CaseRunner(RunOptions{}).run(planned(experiment, "chooser"));
}

TEST_F(BenchRunner, VerifiesAChoiceByItsOwnReference) {
    CaseRecord const verified = run_as("alike", "other");
    EXPECT_EQ(verified.reference, "alike");
    EXPECT_EQ(to_string(verified.status), "ok") << verified.reason;
    expect_found_out(run_as("other", "alike"), Status::disagrees, "before timing");
    CaseRecord const record = run_as("unverifiable", "right");
    EXPECT_EQ(record.reference, "slow");
    expect_found_out(record, Status::not_verified, "a unit takes an hour");
}

// What a choice by measurement needs to know of the run.
TEST_F(BenchRunner, TellsCasesWhetherTheyAreShards) {
    Experiment experiment = toy::make_toy();
    Variant variant = experiment.variants.front();
    variant.name = "records";
    std::vector<Problem> asked;
    variant.make = [&asked, make = variant.make](Problem const& problem) {
        asked.push_back(problem);
        return make(problem);
    };
    experiment.variants.push_back(variant);
    PlannedCase shard = planned(experiment, "records", variant.machine);
    CaseRunner(RunOptions{}).run(shard);
    shard.shard = {0, 2};
    CaseRunner(RunOptions{}).run(shard);
    ASSERT_GE(asked.size(), 2u);
    EXPECT_FALSE(asked.front().is_shard);
    EXPECT_TRUE(asked.back().is_shard);
    EXPECT_TRUE(asked.front().repeated && asked.back().repeated);
}

TEST_F(BenchRunner, MachinesHaveTheSameDigest) {
    CaseRecord const scalar = run_one("scalar");
    CaseRecord const kernel = run_one("kernel", Machine::emulator);
    ASSERT_TRUE(scalar.digest && kernel.digest) << kernel.reason;
    EXPECT_EQ(*scalar.digest, *kernel.digest);
}

TEST_F(BenchRunner, EmulatorHasNoTime) {
    CaseRecord const record = run_one("kernel", Machine::emulator);
    EXPECT_EQ(to_string(record.status), "not_timed") << record.reason;
    EXPECT_FALSE(record.time.has_value());
    EXPECT_TRUE(record.timing_document.empty());
    EXPECT_EQ(record.verified_units, 33u);
    EXPECT_FALSE(is_failure(record.status));
}

// Attributes time to the slow phase: first the construction of a case, then the reference of another case.
TEST_F(BenchRunner, RecordsTheTimeOfEachPhase) {
    using namespace std::chrono_literals;
    auto const slow = 30ms;
    Experiment making = toy::make_toy();
    for (Variant& variant : making.variants) {
        variant.make = [make = variant.make, slow](Problem const& problem) {
            std::this_thread::sleep_for(slow);
            return make(problem);
        };
    }
    CaseRecord const made = CaseRunner(RunOptions{}).run(planned(making, "right"));
    EXPECT_GE(made.phase_seconds.preparing, 0.03);

    Experiment asking = toy::make_toy();
    for (Reference& reference : asking.references) {
        reference.unit = [unit = reference.unit, slow](Problem const& problem, std::uint64_t const number) {
            std::this_thread::sleep_for(slow);
            return unit(problem, number);
        };
    }
    CaseRunner runner(RunOptions{});
    PhaseSeconds const first = runner.run(planned(asking, "right")).phase_seconds;
    PhaseSeconds const second = runner.run(planned(asking, "right")).phase_seconds;  // its reference results are cached
    EXPECT_GE(first.reference, 33 * 0.03 / std::max(1u, std::thread::hardware_concurrency()));
    EXPECT_LT(second.reference, 0.03);
    EXPECT_GT(second.verification, 0);
    EXPECT_GT(second.timing, 0);
    PhaseSeconds all = first;
    all += second;
    EXPECT_DOUBLE_EQ(all.sum(), first.sum() + second.sum());
}

TEST_F(BenchRunner, AVariantThatOnlyCountsHasNoTime) {
    Experiment experiment = toy::make_toy();
    for (Variant& variant : experiment.variants)
        variant.timed = false;
    CaseRecord const record = CaseRunner(RunOptions{}).run(planned(experiment, "right"));
    EXPECT_EQ(to_string(record.status), "not_timed") << record.reason;
    EXPECT_FALSE(record.time.has_value());
    EXPECT_EQ(record.verified_units, 33u);
    EXPECT_EQ(record.metrics.at("words"), 3.0);
    EXPECT_EQ(to_string(CaseRunner(RunOptions{}).run(planned(experiment, "wrong")).status), "disagrees");
}

TEST_F(BenchRunner, FindsAWrongVariant) {
    expect_found_out(run_one("wrong"), Status::disagrees, "before timing: unit 1: word 2 is");
    expect_found_out(run_one("unwritten"), Status::disagrees, "33 of 33 units differ");
    expect_found_out(run_one("false_digest"), Status::disagrees, "the digest is");
}

// Enough units for several threads. The message still names the first difference and counts all of them.
TEST_F(BenchRunner, ComparesManyUnitsOnAllCores) {
    CaseRecord const right = run_one("right", Machine::cpu, "plain", "5000");
    EXPECT_EQ(to_string(right.status), "ok") << right.reason;
    EXPECT_EQ(right.verified_units, 5000u);
    expect_found_out(run_one("wrong", Machine::cpu, "plain", "5000"), Status::disagrees, "unit 1: word 2 is");
    expect_found_out(run_one("unwritten", Machine::cpu, "plain", "5000"), Status::disagrees, "unit 0: ");
    expect_found_out(run_one("unwritten", Machine::cpu, "plain", "5000"), Status::disagrees, "5000 of 5000 units");
}

TEST_F(BenchRunner, FindsAnErrorInOnlyTheLastRepetition) {
    int const runs_before = 1 + 2;  // one to verify, two to warm up
    toy::controls().wrong_run = runs_before + repetitions;
    expect_found_out(run_one("wrong_once"), Status::disagrees, "repetition 7 returned a different digest");
    expect_found_out(run_one("wrong_once_bounded"), Status::disagrees, "after timing: unit 1: out of bounds");
    expect_found_out(run_one("wrong_once_slow_digest"), Status::disagrees, "after timing: unit 1: word");
    toy::controls().wrong_run = runs_before + repetitions + 1;  // the control: a run that does not happen
    EXPECT_EQ(to_string(run_one("wrong_once").status), "ok");
    EXPECT_EQ(to_string(run_one("wrong_once_bounded").status), "ok");
    EXPECT_EQ(to_string(run_one("wrong_once_slow_digest").status), "ok");
}

// The sample contains the first and the last unit; the second unit is wrong.
TEST_F(BenchRunner, FindsAnErrorInTheLastRepetitionOutsideTheSample) {
    Experiment const experiment = toy::make_toy();
    RunOptions options;
    options.budget.seconds = 0;
    options.budget.sample_seconds = 0;
    auto const run = [&] { return CaseRunner(options).run(planned(experiment, "wrong_once_slow_digest")); };
    toy::controls().wrong_run = 1 + 2 + repetitions;
    expect_found_out(run(), Status::disagrees, "after timing: the digest is not that of the verified run");
    toy::controls().wrong_run = 0;
    CaseRecord const right = run();
    EXPECT_EQ(to_string(right.status), "ok") << right.reason;
    EXPECT_EQ(right.verified_units, 2u);
}

TEST_F(BenchRunner, FindsAnErrorInAMiddleRepetition) {
    toy::controls().wrong_run = 3 + 4;
    expect_found_out(run_one("wrong_once"), Status::disagrees, "repetition 4 returned a different digest");
}

TEST_F(BenchRunner, AFailedLaunchHasNoTime) {
    expect_found_out(run_one("throws"), Status::failed, "launch of toy failed");
    expect_found_out(run_one("throws_late"), Status::failed, "launch of toy failed");
}

TEST_F(BenchRunner, AnUnverifiedVariantHasNoTime) {
    expect_found_out(run_one("unverified"), Status::not_verified, "names no reference");
    expect_found_out(run_one("unverifiable"), Status::not_verified, "a unit takes an hour");
}

TEST_F(BenchRunner, RecordsUnsupportedAxesWithoutFailing) {
    CaseRecord const record = run_one("picky", Machine::cpu, "fancy");
    EXPECT_EQ(to_string(record.status), "refused");
    EXPECT_EQ(record.reason, "style fancy is not supported");
    EXPECT_FALSE(is_failure(record.status));
    EXPECT_EQ(to_string(run_one("picky").status), "ok");
    EXPECT_EQ(to_string(run_one("right", Machine::cpu, "plain", "0").status), "refused");
}

TEST_F(BenchRunner, ExtrapolatesALongCpuCase) {
    Experiment const experiment = toy::make_toy();
    RunOptions options;
    options.cpu_limit = 0.2;
    options.cpu_target = 0.02;
    options.budget.seconds = 0.1;
    PlannedCase long_case = planned(experiment, "right", Machine::cpu, "plain", "1000000000000");
    long_case.repetitions = 2;
    CaseRecord const record = CaseRunner(options).run(long_case);
    EXPECT_EQ(to_string(record.status), "ok") << record.reason;
    EXPECT_TRUE(record.extrapolated);
    EXPECT_LT(record.measured_units, record.units);
    EXPECT_FALSE(record.digest.has_value());
    EXPECT_DOUBLE_EQ(record.work.items, 1e12);
    EXPECT_LE(record.verified_units, record.measured_units);
}

// Takes long for 128 units, which is one of the numbers of units that the harness tries, and for no other number.
class LongFor128 : public ForwardingCase {
public:
    LongFor128(Variant const& variant, Problem const& problem)
        : ForwardingCase(variant.make(problem)), is_long_(problem.units == 128) {}
    void run(simt::Stream const stream) override {
        if (is_long_)
            std::this_thread::sleep_for(std::chrono::milliseconds(120));
        ForwardingCase::run(stream);
    }

private:
    bool is_long_;
};

TEST_F(BenchRunner, ExtrapolatesNoCaseWhoseUnitsShareWork) {
    for (bool const shares : {false, true}) {
        Experiment experiment = toy::make_toy();
        for (Reference& reference : experiment.references)
            reference.first_unit_prepares = shares;
        for (Variant& variant : experiment.variants)
            variant.make = [inner = variant](Problem const& problem) {
                return std::make_unique<LongFor128>(inner, problem);
            };
        CaseRecord const record = CaseRunner({}).run(planned(experiment, "right", Machine::cpu, "plain", "100000"));
        EXPECT_EQ(to_string(record.status), "ok") << record.reason;
        EXPECT_EQ(record.extrapolated, !shares);
        EXPECT_EQ(record.measured_units == record.units, shares);
    }
}

}  // namespace
}  // namespace lockstep::bench
