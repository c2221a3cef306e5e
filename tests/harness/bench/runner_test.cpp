// The runner with the toy experiment: correct variants get a time, faulty variants get none and set the exit code.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <thread>

#include "harness/bench/forwarding_case.hpp"
#include "harness/bench/results_file.hpp"
#include "harness/bench/runner.hpp"
#include "tests/harness/bench/temporary_folder.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::bench {
namespace {

constexpr int repetitions = 7;

PlannedCase planned(Experiment const& experiment, std::string const& variant, Machine const machine = Machine::cpu,
                    std::string const& style = "plain", std::string const& count = "33") {
    Sweep sweep;
    sweep.name = "test";
    sweep.presets = {"quick"};
    sweep.axes = {{"style", {style}}, {"count", {count}}};
    Selection selection;
    selection.machines = {machine};
    selection.machines_are_explicit = true;
    selection.variant = variant;
    selection.repetitions = repetitions;
    return plan_cases(experiment, {sweep}, selection).at(0);
}

CaseRecord run_one(std::string const& variant, Machine const machine = Machine::cpu, std::string const& style = "plain",
                   std::string const& count = "33") {
    Experiment const experiment = toy::make_toy();
    return CaseRunner(RunOptions{}).run(planned(experiment, variant, machine, style, count));
}

// Expects this status, a reason that contains `part`, no time in any form, and an exit code that means failure.
void expect_found_out(CaseRecord const& record, Status const status, std::string const& part) {
    EXPECT_EQ(to_string(record.status), to_string(status)) << record.reason;
    EXPECT_NE(record.reason.find(part), std::string::npos) << record.reason;
    EXPECT_FALSE(record.time.has_value());
    EXPECT_TRUE(record.timing_document.empty());
    EXPECT_TRUE(is_failure(record.status));
}

class BenchRunner : public testing::Test {
protected:
    void SetUp() override {
        toy::controls().wrong_run = 0;
        toy::controls().interrupt = false;
    }
};

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

// Runs all variants into a folder.
RunSummary run_all(std::filesystem::path const& folder, std::vector<std::string> const& variants) {
    Experiment const experiment = toy::make_toy();
    std::vector<PlannedCase> cases;
    for (std::string const& variant : variants)
        cases.push_back(planned(experiment, variant));
    RunOptions options;
    options.output = folder;
    options.provenance.device_slug = "toy-device";
    RunObserver observer;
    return run_cases(cases, options, observer);
}

TEST_F(BenchRunner, TheExitCodeReportsFailures) {
    tests::TemporaryFolder const folder;
    EXPECT_EQ(run_all(folder.path(), {"right", "picky"}).exit_code(), 0);
    for (std::string const variant : {"wrong", "unwritten", "false_digest", "throws", "throws_late", "unverified"}) {
        RunSummary const summary = run_all(folder.path(), {"right", variant});
        EXPECT_EQ(summary.exit_code(), 1) << variant;
        EXPECT_EQ(summary.finished, 2u);
    }
    int timed = 0;
    for (StoredCase const& stored : read_cases(folder.path() / "toy-device" / "toy.json")) {
        EXPECT_EQ(stored.has_time, stored.status == "ok") << stored.name;
        timed += stored.has_time ? 1 : 0;
    }
    EXPECT_EQ(timed, 2);  // right and picky
}

// Xid errors and faults of a kernel: each later call of the process fails.
TEST_F(BenchRunner, ALostDeviceEndsTheRunAndKeepsTheRows) {
    tests::TemporaryFolder const folder;
    EXPECT_EQ(run_all(folder.path(), {"right", "picky", "scalar"}).exit_code(), 0);
    RunSummary const summary = run_all(folder.path(), {"right", "loses_device", "picky", "scalar"});
    toy::controls().device_is_lost = false;
    EXPECT_EQ(summary.finished, 2u);
    EXPECT_TRUE(summary.lost_device.starts_with("toy/loses_device/cpu: the GPU failed (cudaLaunchKernel failed: "))
        << summary.lost_device;
    std::map<std::string, std::string> statuses;
    for (StoredCase const& stored : read_cases(folder.path() / "toy-device" / "toy.json"))
        statuses[stored.name] = stored.status;
    EXPECT_EQ(statuses, (std::map<std::string, std::string>{{"toy/right/cpu", "ok"},
                                                            {"toy/loses_device/cpu", "failed"},
                                                            {"toy/picky/cpu", "ok"},
                                                            {"toy/scalar/cpu", "ok"}}));
}

TEST_F(BenchRunner, LackOfMemoryFailsOneCaseAndSaysWhatToDo) {
    tests::TemporaryFolder const folder;
    RunSummary const summary = run_all(folder.path(), {"out_of_memory", "out_of_device_memory", "right"});
    EXPECT_EQ(summary.finished, 3u);
    EXPECT_EQ(summary.failures, 2u);
    auto const cases = read_cases(folder.path() / "toy-device" / "toy.json");
    ASSERT_EQ(cases.size(), 3u);
    EXPECT_EQ(cases[0].reason, "out of memory (an allocation failed) run a smaller job or raise the limit ulimit -v");
    EXPECT_EQ(cases[1].reason,
              "out of device memory (cudaMalloc failed: cudaErrorMemoryAllocation (out of memory) at toy.cpp:1) run a "
              "smaller job, or end other programs that nvidia-smi lists");
    EXPECT_EQ(cases[2].status, "ok");
}

TEST_F(BenchRunner, RunsOnlyTheMissingCasesOfThisCommit) {
    tests::TemporaryFolder const folder;
    Experiment const experiment = toy::make_toy();
    RunOptions options;
    options.output = folder.path();
    options.provenance.device_slug = "toy-device";
    options.provenance.source = {"0123abc", false};
    options.only_missing = true;
    RunObserver observer;
    std::vector<PlannedCase> cases = {planned(experiment, "right"), planned(experiment, "wrong"),
                                      planned(experiment, "picky", Machine::cpu, "fancy")};
    cases[0].sweeps = {"first"};
    EXPECT_EQ(run_cases(cases, options, observer).finished, 3u);

    cases[0].sweeps = {"second"};
    RunSummary const again = run_cases(cases, options, observer);
    EXPECT_EQ(again.finished, 1u) << "failed cases run again, refused cases do not";
    EXPECT_EQ(again.left_out, 2u);
    for (StoredCase const& stored : read_cases(again.files.front())) {
        if (stored.name == cases[0].name) {
            EXPECT_EQ(stored.sweeps, (std::vector<std::string>{"first", "second"}));
        }
    }

    cases[0].problem.seed += 1;
    EXPECT_EQ(run_cases(cases, options, observer).left_out, 1u) << "another seed";
    options.provenance.source.dirty = true;
    EXPECT_EQ(run_cases(cases, options, observer).left_out, 0u) << "a changed tree does not match its commit";
    options.provenance.source = {"4567def", false};
    EXPECT_EQ(run_cases(cases, options, observer).left_out, 0u) << "another commit";
}

// The child process starts this program again, because a fork of a process with threads is not reliable. The
// environment passes the folder's name.
TEST_F(BenchRunner, AnInterruptKeepsFinishedCases) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    constexpr char const* variable = "LOCKSTEP_TEST_INTERRUPT_FOLDER";
    tests::TemporaryFolder const folder;
    ::setenv(variable, folder.path().c_str(), 0);
    EXPECT_EXIT(
        {
            toy::controls().interrupt = true;
            std::exit(run_all(std::getenv(variable), {"right", "interrupts", "scalar"}).exit_code());
        },
        testing::ExitedWithCode(130), "");
    ::unsetenv(variable);
    std::vector<StoredCase> const cases = read_cases(folder.path() / "toy-device" / "toy.json");
    ASSERT_EQ(cases.size(), 1u);
    EXPECT_EQ(cases[0].status, "ok");
}

TEST_F(BenchRunner, DigestsOfShardsAddUp) {
    Experiment const experiment = toy::make_toy();
    CaseRecord const whole = run_one("right");
    for (std::uint64_t const count : {1u, 2u, 5u, 33u, 40u}) {
        std::uint64_t sum = 0, units = 0;
        for (std::uint64_t index = 0; index < count; ++index) {
            Sweep sweep;
            sweep.name = "test";
            sweep.presets = {"quick"};
            sweep.repetitions = 2;
            Selection selection;
            selection.machines = {Machine::emulator};
            selection.machines_are_explicit = true;
            selection.shard = {index, count};
            CaseRecord const part = CaseRunner(RunOptions{}).run(plan_cases(experiment, {sweep}, selection).at(0));
            units += part.units;
            if (part.units == 0)
                continue;
            ASSERT_TRUE(part.digest) << part.reason;
            sum += *part.digest;
        }
        EXPECT_EQ(units, 33u) << count;
        EXPECT_EQ(sum, whole.digest.value()) << count;
    }
}

}  // namespace
}  // namespace lockstep::bench
