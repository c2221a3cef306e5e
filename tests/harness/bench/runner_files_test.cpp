// What a run leaves in its folder and tells by its exit code: failures, a lost device, an interrupt, shards.

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "harness/bench/results_file.hpp"
#include "harness/bench/runner.hpp"
#include "tests/harness/bench/runner_fixture.hpp"
#include "tests/harness/bench/temporary_folder.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::bench {
namespace {

using toy::BenchRunner;
using toy::planned;
using toy::repetitions;
using toy::run_one;

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
