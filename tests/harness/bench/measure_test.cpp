// Unit tests of verification and timing: which units the reference computes, how a sample is composed, and its summary.
// No test asserts a time from a real clock.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <tuple>

#include "harness/bench/error.hpp"
#include "harness/bench/google_timing.hpp"
#include "harness/bench/measure.hpp"
#include "harness/bench/record.hpp"
#include "harness/bench/verification.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::bench {
namespace {

Problem problem_of(std::uint64_t const first, std::uint64_t const units) {
    Problem problem;
    problem.axes.set("factor", "3");
    problem.seed = 9;
    problem.first_unit = first;
    problem.units = units;
    return problem;
}

TEST(BenchVerification, ComputesEveryUnitWithinTheBudget) {
    Experiment const experiment = toy::make_toy();
    for (std::uint64_t const units : {0u, 1u, 2u, 31u, 32u, 33u, 1000u}) {
        Expected const expected = compute_expected(experiment.reference("scalar"), problem_of(5, units));
        ASSERT_EQ(expected.units.size(), units);
        EXPECT_TRUE(expected.complete);
        for (std::uint64_t i = 0; i < units; ++i) {
            EXPECT_EQ(expected.units[i], 5 + i);
            EXPECT_EQ(expected.results[i].at(2), toy::toy_word(9, 5 + i, 3, 2));
        }
    }
}

TEST(BenchVerification, SamplesWithTheEdgesBeyondTheBudget) {
    Experiment const experiment = toy::make_toy();
    ReferenceBudget budget;
    budget.bytes = 64 * 100;
    for (std::uint64_t const units : {1000u, 1000003u}) {
        Expected const expected = compute_expected(experiment.reference("scalar"), problem_of(7, units), budget);
        EXPECT_FALSE(expected.complete);
        EXPECT_GE(expected.units.size(), 50u);
        EXPECT_LE(expected.units.size(), 200u);
        EXPECT_EQ(expected.units.front(), 7u);
        EXPECT_EQ(expected.units.back(), 7 + units - 1);
        std::set<std::uint64_t> const different(expected.units.begin(), expected.units.end());
        EXPECT_EQ(different.size(), expected.units.size());
        std::uint64_t in_first_half = 0;
        for (std::uint64_t const unit : expected.units)
            in_first_half += unit - 7 < units / 2 ? 1 : 0;
        EXPECT_NEAR(static_cast<double>(in_first_half), static_cast<double>(expected.units.size()) / 2, 2);
    }
    budget.bytes = 0;  // the edges are always computed
    Expected const least = compute_expected(experiment.reference("scalar"), problem_of(7, 1000), budget);
    EXPECT_EQ(least.units, (std::vector<std::uint64_t>{7, 1006}));
}

// A unit may take seconds, so none is computed twice.
TEST(BenchVerification, ComputesAUnitOnce) {
    for (std::uint64_t const units : {1u, 2u, 3u, 4u, 33u}) {
        std::mutex mutex;
        std::map<std::uint64_t, int> calls;
        Reference const reference{"counting",
                                  [&](Problem const&, std::uint64_t const unit) -> UnitResult {
                                      std::lock_guard const lock(mutex);
                                      ++calls[unit];
                                      return {static_cast<std::uint32_t>(unit)};
                                  },
                                  [](Problem const&) { return std::string(); }};
        Expected const expected = compute_expected(reference, problem_of(7, units));
        ASSERT_EQ(expected.results.size(), units);
        for (std::uint64_t i = 0; i < units; ++i) {
            EXPECT_EQ(calls[7 + i], 1);
            EXPECT_EQ(expected.results[i], UnitResult{static_cast<std::uint32_t>(7 + i)});
        }
    }
}

// Each thread keeps the group that it computed last, as the reference `pooled` does.
TEST(BenchVerification, ComputesAGroupOnceAndSamplesWholeGroups) {
    std::atomic<int> computed = 0;
    Reference const reference{.name = "grouped",
                              .unit = [&](Problem const&, std::uint64_t const unit) -> UnitResult {
                                  thread_local std::uint64_t last = ~std::uint64_t{0};
                                  if (last != unit / 32)
                                      ++computed;
                                  last = unit / 32;
                                  std::this_thread::sleep_for(std::chrono::microseconds(100));  // several blocks
                                  return {static_cast<std::uint32_t>(unit)};
                              },
                              .units_per_group = 32};
    ReferenceBudget budget;
    budget.seconds = budget.sample_seconds = 1e9;  // however slow the machine is
    for (auto const& [first, units, groups] : {std::tuple{0u, 1u, 1},
                                               {0u, 32u, 1},
                                               {31u, 2u, 2},
                                               {31u, 66u, 4},
                                               {0u, 100u, 4},
                                               {40u, 1000u, 32},
                                               {64u, 1024u, 32}}) {
        computed = 0;
        std::jthread([&, first = first, units = units] {
            Expected const expected = compute_expected(reference, problem_of(first, units), budget);
            ASSERT_EQ(expected.units.size(), units);
            EXPECT_TRUE(expected.complete);
            for (std::uint64_t i = 0; i < units; ++i)
                EXPECT_EQ(expected.results[i], UnitResult{static_cast<std::uint32_t>(first + i)});
        }).join();
        EXPECT_EQ(computed, groups) << units << " units from " << first;
    }

    budget.bytes = 44 * 320;  // about ten groups
    Expected const sample = compute_expected(reference, problem_of(40, 100000), budget);
    EXPECT_FALSE(sample.complete);
    std::map<std::uint64_t, int> members;
    for (std::uint64_t const unit : sample.units)
        ++members[unit / 32];
    EXPECT_EQ(members.size(), 10u);
    EXPECT_EQ(members.begin()->first, 1u);
    EXPECT_EQ(sample.units.front(), 40u);
    EXPECT_EQ(sample.units.back(), 100039u);
    for (auto const& [group, count] : members)
        EXPECT_EQ(count, group == 1 ? 24 : group == 100039 / 32 ? 100040 % 32 : 32) << "group " << group;
    EXPECT_TRUE(std::is_sorted(sample.units.begin(), sample.units.end()));
}

// The time of what all units share is not taken for the time of each unit.
TEST(BenchVerification, TheFirstUnitsPreparationDoesNotShrinkTheSample) {
    for (bool const declared : {false, true}) {
        Reference const reference{.name = "simulation",
                                  .unit = [](Problem const&, std::uint64_t const unit) -> UnitResult {
                                      if (unit == 0)
                                          std::this_thread::sleep_for(std::chrono::seconds(1));
                                      return {static_cast<std::uint32_t>(unit)};
                                  },
                                  .first_unit_prepares = declared};
        ReferenceBudget budget;
        budget.seconds = 1000;  // with the first unit, three units predict 3300 s
        EXPECT_EQ(compute_expected(reference, problem_of(0, 10000), budget).complete, declared);
    }
}

// Units that are slower than the first ones: the units computed before the deadline are spread over the full range.
TEST(BenchVerification, AtTheDeadlineTheSampleCoversTheRange) {
    Reference const reference{"slower",
                              [](Problem const&, std::uint64_t const unit) -> UnitResult {
                                  if (unit >= 100)
                                      std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                  return {static_cast<std::uint32_t>(3 * unit)};
                              },
                              [](Problem const&) { return std::string(); }};
    ReferenceBudget budget;
    budget.seconds = 0.4;
    budget.sample_seconds = 0.1;
    budget.threads = 1;
    Expected const expected = compute_expected(reference, problem_of(0, 4000), budget);
    EXPECT_FALSE(expected.complete);
    ASSERT_GE(expected.units.size(), 8u);
    EXPECT_EQ(expected.units.front(), 0u);
    EXPECT_EQ(expected.units.back(), 3999u);
    std::set<std::uint64_t> quarters;
    for (std::size_t i = 0; i < expected.units.size(); ++i) {
        EXPECT_EQ(expected.results[i], UnitResult{static_cast<std::uint32_t>(3 * expected.units[i])});
        if (expected.units[i] != 0 && expected.units[i] != 3999)
            quarters.insert(expected.units[i] / 1000);
    }
    EXPECT_EQ(quarters.size(), 4u);
    EXPECT_TRUE(std::is_sorted(expected.units.begin(), expected.units.end()));
}

TEST(BenchVerification, AThrowingReferenceIsNotSwallowed) {
    Reference const reference{"bad",
                              [](Problem const&, std::uint64_t const unit) -> UnitResult {
                                  if (unit == 20)
                                      throw std::runtime_error("unit 20 has no result");
                                  return {1};
                              },
                              [](Problem const&) { return std::string(); }};
    EXPECT_THROW(compute_expected(reference, problem_of(0, 33)), std::runtime_error);
}

// A stopwatch that returns scripted durations and counts calls.
class FakeStopwatch : public Stopwatch {
public:
    explicit FakeStopwatch(double const seconds_per_launch) : seconds_(seconds_per_launch) {}
    void flush_cache() override { ++flushes; }
    double seconds(std::function<void()> const& work, unsigned const launches) override {
        for (unsigned i = 0; i < launches; ++i)
            work();
        samples.push_back(launches);
        return seconds_ * launches;
    }
    Timer timer_for(std::function<void()> const&, double) override { return Timer::events; }
    int flushes = 0;
    std::vector<unsigned> samples;

private:
    double seconds_;
};

class CountingCase : public Case {
public:
    explicit CountingCase(bool const repeatable) : Case(problem_of(0, 1)), repeatable_(repeatable) {}
    void reset() override { ++resets; }
    void run(simt::Stream) override { ++runs; }
    std::vector<UnitResult> results(std::span<std::uint64_t const>) override { return {UnitResult{1}}; }
    Work work() const override { return {10, 20, 0}; }
    bool repeatable() const override { return repeatable_; }
    int resets = 0;
    int runs = 0;

private:
    bool repeatable_;
};

Measurement measured(CountingCase& subject, FakeStopwatch& stopwatch, bool const cold) {
    MeasureOptions options;
    options.name = "fake/case";
    options.repetitions = 4;
    options.exact_repetitions = true;
    options.cold = cold;
    return measure(subject, stopwatch, options);
}

TEST(BenchMeasure, ShortLaunchesShareASample) {
    EXPECT_EQ(launches_for(50e-6), 1u);
    EXPECT_EQ(launches_for(1), 1u);
    EXPECT_EQ(launches_for(49e-6), 11u);
    EXPECT_EQ(launches_for(5e-6), 100u);
    EXPECT_EQ(launches_for(0), 1000u);

    CountingCase subject(true);
    FakeStopwatch stopwatch(5e-6);
    Measurement const measurement = measured(subject, stopwatch, false);
    EXPECT_EQ(measurement.launches_per_sample, 100u);
    EXPECT_EQ(stopwatch.samples, (std::vector<unsigned>{1, 100, 100, 100, 100}));
    EXPECT_EQ(subject.resets, 8);  // of two runs by the host's clock, the choice of the timer, and these five samples
    ASSERT_EQ(measurement.seconds.size(), 4u);
    for (double const seconds : measurement.seconds)
        EXPECT_DOUBLE_EQ(seconds, 5e-6);
    EXPECT_EQ(stopwatch.flushes, 0);
}

TEST(BenchMeasure, NoiseIsHalfTheIntervalOverTheMedian) {
    // Of ten values, the second and the ninth bound the median: (9 - 2) / 2 / 5.5.
    std::vector<double> const values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    EXPECT_DOUBLE_EQ(noise_of(values), 3.5 / 5.5);
    EXPECT_TRUE(std::isinf(noise_of(std::vector<double>{1, 1, 1, 1, 1})));
}

TEST(BenchMeasure, SamplesUntilTheMedianIsStable) {
    SampleRule const rule;
    EXPECT_FALSE(is_enough(rule, std::vector<double>(9, 1e-6), 1)) << "fewer than ten";
    EXPECT_TRUE(is_enough(rule, std::vector<double>(10, 1e-6), 1)) << "without noise";
    std::vector<double> noisy;
    for (int i = 0; i < 100; ++i)
        noisy.push_back(i % 2 == 0 ? 1e-3 : 2e-3);
    EXPECT_FALSE(is_enough(rule, noisy, 1)) << "0.15 s of noise";
    EXPECT_TRUE(is_enough(rule, noisy, 10)) << "1.5 s";
    noisy.resize(200, 1e-6);
    EXPECT_TRUE(is_enough(rule, noisy, 1)) << "as many as the rule allows";
}

TEST(BenchMeasure, SixLongSamplesThatAgreeAreEnough) {
    SampleRule const rule;
    EXPECT_FALSE(is_enough(rule, std::vector<double>(5, 10.0), 1)) << "five have no 95% interval";
    EXPECT_TRUE(is_enough(rule, std::vector<double>(6, 0.1), 1));
    EXPECT_FALSE(is_enough(rule, std::vector<double>(6, 0.08), 1)) << "0.48 s";
    EXPECT_TRUE(is_enough(rule, std::vector<double>(6, 0.04), 3)) << "of three launches each";
    // Half the range over the median: 4.9% and 5.1%.
    EXPECT_TRUE(is_enough(rule, std::vector<double>{1, 1, 1, 1, 1, 1.098}, 1));
    EXPECT_FALSE(is_enough(rule, std::vector<double>{1, 1, 1, 1, 1, 1.102}, 1));
    std::vector<double> apart = {1, 1, 1, 1, 1, 1.2, 1.2, 1.2, 1.2};
    EXPECT_FALSE(is_enough(rule, apart, 1)) << "nine that disagree";
    apart.push_back(1.2);
    EXPECT_TRUE(is_enough(rule, apart, 1)) << "ten";
    SampleRule const more = {.minimum = 20, .few = 20};
    EXPECT_FALSE(is_enough(more, std::vector<double>(19, 1.0), 1));
}

std::size_t samples_of(double const seconds_per_launch, int const repetitions, double const max_seconds) {
    CountingCase subject(true);
    FakeStopwatch stopwatch(seconds_per_launch);
    MeasureOptions options;
    options.name = "fake/case";
    options.repetitions = repetitions;
    options.max_seconds = max_seconds;
    return measure(subject, stopwatch, options).seconds.size();
}

TEST(BenchMeasure, MoreSamplesOnRequestWithinTheTime) {
    EXPECT_EQ(samples_of(0.6, 11, 3), 6u) << "long launches have the fewest samples";
    EXPECT_EQ(samples_of(0.1, 100, 2), 20u);
    EXPECT_EQ(samples_of(0.1, 15, 2), 15u);
    EXPECT_EQ(samples_of(0.01, 100, 2), 100u);
    EXPECT_EQ(samples_of(0.01, 3, 2), 10u);
}

TEST(BenchMeasure, ALongRunBeforeIsTheWarmUp) {
    MeasureOptions options;
    options.name = "fake/case";
    options.repetitions = 4;
    options.exact_repetitions = true;
    for (double const seconds : {0.049, 0.05}) {
        CountingCase subject(false);
        FakeStopwatch stopwatch(1);
        options.warm_run_seconds = seconds;
        Measurement const measurement = measure(subject, stopwatch, options);
        EXPECT_EQ(measurement.seconds.size(), 4u);
        EXPECT_EQ(subject.runs == 4, seconds == 0.05) << subject.runs;
    }
}

// A device whose timer is chosen in a run of the case.
class ProbingStopwatch : public FakeStopwatch {
public:
    using FakeStopwatch::FakeStopwatch;
    Timer timer_for(std::function<void()> const& work, double) override {
        work();
        return chosen;
    }
    Timer chosen = Timer::events;
};

TEST(BenchMeasure, AfterALongRunTheTimerIsChosenInOneRun) {
    MeasureOptions options;
    options.name = "fake/case";
    options.repetitions = 4;
    options.exact_repetitions = true;
    options.warm_run_seconds = 0.05;
    for (Timer const timer : {Timer::events, Timer::steady_clock}) {
        CountingCase subject(false);
        ProbingStopwatch stopwatch(1);
        stopwatch.chosen = timer;
        Measurement const measurement = measure(subject, stopwatch, options);
        EXPECT_EQ(measurement.timer, timer);
        // The run before may have included what only a first run does, so events that miss a part are asked again.
        int const probes = timer == Timer::events ? 1 : 4;
        EXPECT_EQ(subject.runs, 4 + probes);
    }
}

TEST(BenchMeasure, AConsumingCaseIsLaunchedOncePerSample) {
    CountingCase subject(false);
    FakeStopwatch stopwatch(5e-6);
    EXPECT_EQ(measured(subject, stopwatch, false).launches_per_sample, 1u);
    EXPECT_EQ(subject.runs + 1, subject.resets);  // this stopwatch chooses its timer without a run
}

TEST(BenchMeasure, AColdCacheIsFlushedBeforeEachSample) {
    CountingCase subject(true);
    FakeStopwatch stopwatch(5e-6);
    EXPECT_EQ(measured(subject, stopwatch, true).launches_per_sample, 1u);
    EXPECT_EQ(stopwatch.flushes, 4);
}

// A digest that takes a while and is cached until the next run, so that only the verified run's digest is free.
class KeepingCase : public CountingCase {
public:
    explicit KeepingCase(std::chrono::milliseconds const cost) : CountingCase(false), cost_(cost) {}
    std::uint64_t digest() override {
        if (digested_runs != runs) {
            std::this_thread::sleep_for(cost_);
            ++digests;
        }
        digested_runs = runs;
        return 1;
    }
    int digested_runs = 0;
    int digests = 0;

private:
    std::chrono::milliseconds cost_;
};

TEST(BenchMeasure, AnExpensiveDigestIsComputedOnce) {
    KeepingCase subject(std::chrono::milliseconds(30));
    FakeStopwatch stopwatch(5e-6);
    EXPECT_EQ(measured(subject, stopwatch, false).seconds.size(), 4u);
    EXPECT_EQ(subject.digests, 1);
}

TEST(BenchMeasure, DigestsEndBeforeTheyTakeMostOfTheTime) {
    KeepingCase subject(std::chrono::milliseconds(10));
    FakeStopwatch stopwatch(5e-6);
    MeasureOptions options;
    options.name = "fake/case";
    options.repetitions = 40;
    options.exact_repetitions = true;
    EXPECT_EQ(measure(subject, stopwatch, options).seconds.size(), 40u);
    EXPECT_GE(subject.digests, 1);
    EXPECT_LE(subject.digests, 10);
}

TEST(BenchMeasure, TheEmulatorCannotMeasureTime) {
    auto const stopwatch = make_stopwatch(Machine::emulator);
    EXPECT_THROW(stopwatch->seconds([] {}, 1), std::logic_error);
}

TEST(BenchTiming, GoogleAggregatesEqualOurs) {
    for (std::vector<double> const& sample : {std::vector<double>{3, 1, 2, 5, 4, 7, 6}, {4, 1, 3, 2, 8, 6, 5, 7}}) {
        std::size_t next = 0;
        Repetitions const repetitions =
            time_repetitions("a/b:1", static_cast<int>(sample.size()), Work{6, 0, 0}, [&] { return sample[next++]; });
        EXPECT_EQ(repetitions.seconds, sample);
        CaseTime const time = summarise_times(sample);
        std::map<std::string, double> found;
        nlohmann::json const document = nlohmann::json::parse(repetitions.document);
        for (auto const& row : document.at("benchmarks")) {
            EXPECT_EQ(row.at("run_type"), "aggregate");
            found[row.at("aggregate_name")] = row.at("real_time").get<double>();
        }
        EXPECT_DOUBLE_EQ(found.at("median"), time.median * 1e9);
        EXPECT_DOUBLE_EQ(found.at("median_low"), time.low * 1e9);
        EXPECT_DOUBLE_EQ(found.at("median_high"), time.high * 1e9);
        EXPECT_DOUBLE_EQ(found.at("mean"), time.mean * 1e9);
        EXPECT_NEAR(found.at("stddev"), time.sigma * 1e9, 1);
        EXPECT_DOUBLE_EQ(found.at("mad"), time.mad * 1e9);
    }
}

TEST(BenchTiming, SummariesOfSmallSamples) {
    CaseTime const odd = summarise_times(std::vector<double>{3, 1, 2});
    EXPECT_EQ(odd.median, 2);
    EXPECT_EQ(odd.low, 1);
    EXPECT_EQ(odd.high, 3);
    EXPECT_DOUBLE_EQ(odd.coverage, 0.75);  // three values miss the median on one side in 2 of 8 cases
    CaseTime const even = summarise_times(std::vector<double>{4, 1, 3, 2}, 10);
    EXPECT_EQ(even.median, 25);
    EXPECT_DOUBLE_EQ(even.mad, 10);
    EXPECT_THROW(summarise_times(std::vector<double>{1}), std::invalid_argument);
    EXPECT_THROW(time_repetitions("a", 1, {}, [] { return 1.0; }), Error);
}

TEST(BenchTiming, AThrowingSampleEndsTheRepetitions) {
    int calls = 0;
    auto const sample = [&]() -> double {
        if (++calls == 3)
            throw Disagreement("planted");
        return 1;
    };
    EXPECT_THROW(time_repetitions("a", 10, {}, sample), Disagreement);
    EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace lockstep::bench
