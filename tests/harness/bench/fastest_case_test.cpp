// The choice by measurement, with a clock that advances by what each candidate's run is said to take.

#include "harness/bench/fastest_case.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace lockstep::bench {
namespace {

double virtual_seconds = 0;

class VirtualStopwatch : public Stopwatch {
public:
    void flush_cache() override { FAIL() << "a trial is a repeated job: its caches are warm"; }
    double seconds(std::function<void()> const& work, unsigned const launches) override {
        double const begun = virtual_seconds;
        for (unsigned launch = 0; launch < launches; ++launch)
            work();
        return virtual_seconds - begun;
    }
    double host_seconds(std::function<void()> const& work, unsigned const launches, End) override {
        return seconds(work, launches);
    }
    Timer timer_for(std::function<void()> const&, double) override { return Timer::events; }
};

struct Lives {
    int made = 0, alive = 0, max_alive = 0, runs = 0;
};

class PacedCase : public Case {
public:
    PacedCase(unsigned const name, double const first, double const later, Lives& lives)
        : Case(Problem{}), name_(name), next_(first), later_(later), lives_(lives) {
        ++lives_.made;
        lives_.max_alive = std::max(lives_.max_alive, ++lives_.alive);
    }
    ~PacedCase() override { --lives_.alive; }
    void reset() override { was_reset_ = true; }
    void run(simt::Stream) override {
        EXPECT_TRUE(was_reset_);
        ++lives_.runs;
        virtual_seconds += next_;
        next_ = later_;
    }
    std::vector<UnitResult> results(std::span<std::uint64_t const>) override { return {UnitResult{name_}}; }
    Work work() const override { return {1, 1, 1}; }
    Metrics metrics() const override { return {{"name", name_}}; }

private:
    unsigned name_;
    double next_, later_;
    Lives& lives_;
    bool was_reset_ = false;
};

struct Pace {
    double later = 0;
    double first = 0;  // the first run; 0: as the later ones
};

// The position of the candidate that stays.
unsigned winner_of(std::vector<Pace> const& paces, Lives& lives) {
    std::vector<CaseMaker> candidates;
    for (unsigned name = 0; name < paces.size(); ++name) {
        Pace const pace = paces[name];
        double const first = pace.first == 0 ? pace.later : pace.first;
        candidates.push_back([=, &lives] { return std::make_unique<PacedCase>(name, first, pace.later, lives); });
    }
    VirtualStopwatch stopwatch;
    std::unique_ptr<Case> const best = fastest_case(stopwatch, candidates);
    EXPECT_EQ(lives.alive, 1);
    return best->results({}).front().front();
}

unsigned winner_of(std::vector<Pace> const& paces) {
    Lives lives;
    return winner_of(paces, lives);
}

TEST(FastestCase, IsKept) {
    EXPECT_EQ(winner_of({{3e-5}, {2e-5}, {4e-5}}), 1u);
    EXPECT_EQ(winner_of({{3e-5}, {2e-5}, {1e-5}}), 2u);
    EXPECT_EQ(winner_of({{1e-5}, {2e-5}, {3e-5}}), 0u);
}

TEST(FastestCase, TheFirstStaysUnlessAnotherOneIsOnePercentFaster) {
    EXPECT_EQ(winner_of({{1.000e-5}, {0.995e-5}}), 0u);
    EXPECT_EQ(winner_of({{1.000e-5}, {0.985e-5}}), 1u);
}

// The first run loads a kernel, which says nothing of a repeated job.
TEST(FastestCase, ASlowFirstRunDoesNotCount) { EXPECT_EQ(winner_of({{3e-5, 1}, {2e-5, 1}, {4e-5, 1}}), 1u); }

TEST(FastestCase, LongRunsAreNotTried) {
    Lives lives;
    EXPECT_EQ(winner_of({{1.0}, {1e-5}}, lives), 0u);
    EXPECT_EQ(lives.made, 1);
    EXPECT_EQ(lives.runs, 2);
    EXPECT_EQ(winner_of({{2e-3}, {1.0}, {1e-3}}), 2u) << "a slow candidate among fast ones";
    Lives minutes;
    EXPECT_EQ(winner_of({{60.0}, {1e-5}}, minutes), 0u);
    EXPECT_EQ(minutes.runs, 1) << "no kernel takes that long to load";
}

TEST(FastestCase, ASlowCandidateIsNotTimed) {
    VirtualStopwatch stopwatch;
    auto const runs_beside_a_millisecond = [&](double const first, double const later) {
        Lives best, other;
        std::vector<CaseMaker> const candidates = {[&] { return std::make_unique<PacedCase>(0, 1e-3, 1e-3, best); },
                                                   [&] { return std::make_unique<PacedCase>(1, first, later, other); }};
        fastest_case(stopwatch, candidates);
        EXPECT_EQ(other.made, 1);
        return other.runs;
    };
    EXPECT_EQ(runs_beside_a_millisecond(2.2e-3, 2.2e-3), 2);
    EXPECT_GE(runs_beside_a_millisecond(2.0e-3, 2.0e-3), 6) << "the host's clock includes the launch";
    EXPECT_GE(runs_beside_a_millisecond(1.0, 1.5e-3), 6) << "its first run loads a kernel";
}

TEST(FastestCase, TwoCandidatesExistAtATime) {
    Lives lives;
    EXPECT_EQ(winner_of({{5e-5}, {4e-5}, {3e-5}, {2e-5}, {1e-5}}, lives), 4u);
    EXPECT_EQ(lives.made, 5);
    EXPECT_EQ(lives.max_alive, 2);
}

// Memory may be short for the second of two cases, when it is made or when it first runs.
TEST(FastestCase, ACandidateWithoutMemoryIsLeftOut) {
    class Unlucky : public PacedCase {
    public:
        using PacedCase::PacedCase;
        void reset() override { throw std::runtime_error("cudaMalloc failed: cudaErrorMemoryAllocation"); }
    };
    Lives lives;
    auto const paced = [&](unsigned name, double pace) -> CaseMaker {
        return [&lives, name, pace] { return std::make_unique<PacedCase>(name, pace, pace, lives); };
    };
    CaseMaker const fails_when_made = []() -> std::unique_ptr<Case> {
        throw std::runtime_error("cudaMalloc failed: cudaErrorMemoryAllocation");
    };
    CaseMaker const fails_when_run = [&] { return std::make_unique<Unlucky>(9, 1e-6, 1e-6, lives); };
    VirtualStopwatch stopwatch;
    std::vector<CaseMaker> candidates = {paced(0, 3e-5), fails_when_made, fails_when_run, paced(3, 2e-5)};
    EXPECT_EQ(fastest_case(stopwatch, candidates)->results({}).front().front(), 3u);
    EXPECT_EQ(lives.alive, 0);
    candidates[1] = []() -> std::unique_ptr<Case> { throw std::runtime_error("a mistake"); };
    EXPECT_THROW(fastest_case(stopwatch, candidates), std::runtime_error);
}

TEST(FastestCase, OneCandidateIsNotRun) {
    Lives lives;
    EXPECT_EQ(winner_of({{1e-5}}, lives), 0u);
    EXPECT_EQ(lives.runs, 0);
}

// The metrics of the candidates differ, and which one stays depends on the clock, whether or not there are trials.
TEST(FastestCase, MetricsOfAChoiceByTheClockVary) {
    Lives lives;
    auto const paced = [&lives](unsigned const name, double const seconds) {
        return CaseMaker([=, &lives] { return std::make_unique<PacedCase>(name, seconds, seconds, lives); });
    };
    VirtualStopwatch stopwatch;
    for (double const seconds : {2e-5, 1.0}) {
        std::unique_ptr<Case> const chosen = fastest_case(stopwatch, std::vector{paced(7, seconds), paced(8, 3e-5)});
        EXPECT_EQ(chosen->metrics().at("name").value, 7) << seconds;
        EXPECT_FALSE(chosen->metrics().at("name").deterministic) << seconds;
    }
    EXPECT_TRUE(fastest_case(stopwatch, std::vector{paced(7, 2e-5)})->metrics().at("name").deterministic);
    Problem problem;
    problem.repeated = true;
    EXPECT_TRUE(fastest_case(problem, Machine::emulator, std::vector{paced(7, 2e-5), paced(8, 3e-5)})
                    ->metrics()
                    .at("name")
                    .deterministic);
}

// Candidates whose results differ name the variant whose reference has them.
TEST(FastestCase, ForwardsTheVariantOfItsChoice) {
    class Named : public PacedCase {
    public:
        Named(Variant const& variant, double const seconds, Lives& lives)
            : PacedCase(0, seconds, seconds, lives), variant_(variant) {}
        Variant const* chosen_variant() const override { return &variant_; }

    private:
        Variant const& variant_;
    };
    Lives lives;
    Variant slow, fast;
    std::vector<CaseMaker> const candidates = {[&] { return std::make_unique<Named>(slow, 3e-5, lives); },
                                               [&] { return std::make_unique<Named>(fast, 2e-5, lives); }};
    VirtualStopwatch stopwatch;
    EXPECT_EQ(fastest_case(stopwatch, candidates)->chosen_variant(), &fast);
}

TEST(FastestCase, TheCallerSetsTheLongestRunOfATrial) {
    Lives lives;
    std::vector<CaseMaker> const candidates = {[&] { return std::make_unique<PacedCase>(0, 2e-2, 2e-2, lives); },
                                               [&] { return std::make_unique<PacedCase>(1, 1e-2, 1e-2, lives); }};
    VirtualStopwatch stopwatch;
    EXPECT_EQ(fastest_case(stopwatch, candidates)->results({}).front().front(), 0u);
    EXPECT_EQ(fastest_case(stopwatch, candidates, 0.05)->results({}).front().front(), 1u);
}

TEST(FastestCase, OnlyARepeatedProblemOnAGpuHasTrials) {
    Lives lives;
    std::vector<CaseMaker> const candidates = {[&] { return std::make_unique<PacedCase>(0, 2e-5, 2e-5, lives); },
                                               [&] { return std::make_unique<PacedCase>(1, 1e-5, 1e-5, lives); }};
    Problem problem;
    EXPECT_EQ(fastest_case(problem, Machine::cuda, candidates)->results({}).front().front(), 0u);
    problem.repeated = true;
    for (Machine const machine : {Machine::cpu, Machine::emulator})
        EXPECT_EQ(fastest_case(problem, machine, candidates)->results({}).front().front(), 0u);
    EXPECT_EQ(lives.made, 3);
    EXPECT_EQ(lives.runs, 0);
    EXPECT_THROW(fastest_case(problem, Machine::cpu, {}), std::logic_error);
}

}  // namespace
}  // namespace lockstep::bench
