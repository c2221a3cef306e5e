// The choice of a geometry while a run does its passes: deterministic under a clock of the test, and without a change
// of results.

#include "experiments/rule_interpreter/adaptive_choice.hpp"

#include "tests/rule_interpreter/rule_files.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

struct SimulatedRun {
    std::vector<AdaptiveChoice::Slice> slices;
    std::size_t kept = 0;
    unsigned trials = 0;

    unsigned passes_of(std::size_t candidate) const {
        unsigned sum = 0;
        for (AdaptiveChoice::Slice const& slice : slices)
            sum += slice.candidate == candidate ? slice.passes : 0;
        return sum;
    }
};

// `cost` and `share` tell seconds of a pass and the share enabled, of a candidate and the number of passes before.
template <class Cost, class Share>
SimulatedRun simulate(std::size_t candidates, unsigned passes, Cost const& cost, Share const& share) {
    double now = 5;
    AdaptiveChoice choice(candidates, passes, [&] { return now; });
    SimulatedRun run;
    unsigned done = 0;
    while (choice.passes_left() != 0) {
        AdaptiveChoice::Slice const slice = choice.begin();
        EXPECT_TRUE(slice.passes >= 1 && slice.passes <= passes - done && slice.candidate < candidates);
        now += 1e-5 + slice.passes * cost(slice.candidate, done);  // a launch, and its passes
        choice.end(share(done));
        done += slice.passes;
        run.slices.push_back(slice);
    }
    EXPECT_EQ(done, passes);
    run.kept = choice.kept();
    run.trials = choice.trials();
    return run;
}

double half(unsigned) { return 0.5; }

TEST(AdaptiveChoices, TheFastestCandidateIsKeptAndDoesMostPasses) {
    for (double const scale : {1e-7, 1e-5, 1e-2}) {
        for (std::size_t fastest = 0; fastest < 4; ++fastest) {
            auto const cost = [&](std::size_t candidate, unsigned) { return candidate == fastest ? scale : 2 * scale; };
            SimulatedRun const run = simulate(4, 1000000, cost, half);
            EXPECT_EQ(run.kept, fastest) << scale;
            EXPECT_EQ(run.trials, 1u);
            EXPECT_GT(run.passes_of(fastest), 800000u);
        }
    }
}

TEST(AdaptiveChoices, RunsOfFewPassesKeepThePlannedOne) {
    auto const second_is_faster = [](std::size_t candidate, unsigned) { return candidate == 1 ? 1.0 : 2.0; };
    for (unsigned const passes : {1u, 2u, 31u}) {
        SimulatedRun const run = simulate(2, passes, second_is_faster, half);
        EXPECT_EQ(run.slices.size(), 1u);
        EXPECT_EQ(run.passes_of(0), passes);
    }
    EXPECT_EQ(simulate(2, 34, second_is_faster, half).kept, 1u);
    EXPECT_EQ(simulate(1, 1000, second_is_faster, half).slices.size(), 1u);
    // Passes too short for a slice that can be timed.
    auto const short_passes = [](std::size_t candidate, unsigned) { return candidate == 1 ? 1e-9 : 2e-9; };
    EXPECT_EQ(simulate(2, 1000, short_passes, half).trials, 0u);
}

TEST(AdaptiveChoices, WithoutAClockOneSliceHasAllPasses) {
    AdaptiveChoice choice(3, 1000, {});
    EXPECT_EQ(choice.begin().passes, 1000u);
    choice.end(0.5);
    EXPECT_EQ(choice.passes_left(), 0u);
    EXPECT_EQ(choice.kept(), 0u);
}

TEST(AdaptiveChoices, AClearlyMovedShareLeadsToAnotherTrial) {
    auto const cost = [](std::size_t candidate, unsigned done) {
        return (done < 50000) == (candidate == 1) ? 1.0 : 2.0;
    };
    auto const run = [&](double later) {
        return simulate(3, 100000, cost, [&](unsigned done) { return done < 50000 ? 0.5 : later; });
    };
    EXPECT_EQ(run(0.05).trials, 2u);
    EXPECT_NE(run(0.05).kept, 1u);
    EXPECT_EQ(run(0.95).trials, 2u);
    EXPECT_EQ(run(0.4).trials, 1u);
    EXPECT_EQ(run(0.4).kept, 1u);
    EXPECT_EQ(run(0.0).trials, 2u);
}

// Passes become cheaper, as on the way to a fixed point: that is no reason for a change.
TEST(AdaptiveChoices, CheaperPassesDoNotFavourACandidate) {
    auto const cost = [](std::size_t, unsigned done) { return 1.0 / (1 + done * 1e-4); };
    EXPECT_EQ(simulate(4, 10000, cost, half).kept, 0u);
}

TEST(AdaptiveChoices, ATieOrNoiseKeepsThePlannedOne) {
    auto const cost = [](std::size_t candidate, unsigned) { return candidate == 2 ? 0.99 : 1.0; };
    EXPECT_EQ(simulate(4, 10000, cost, half).kept, 0u);
}

TEST(AdaptiveChoices, AMuchSlowerCandidateIsTimedOnce) {
    auto const cost = [](std::size_t candidate, unsigned) { return candidate == 1 ? 30.0 : 1.0; };
    SimulatedRun const run = simulate(2, 1000, cost, half);
    EXPECT_EQ(run.kept, 0u);
    EXPECT_EQ(run.passes_of(1), 1u);
}

class AdaptiveRuns : public RuleFiles {
protected:
    // Each call is later by a different time: trials choose whatever they choose, always the same.
    static Clock uneven_clock(unsigned seed) {
        return [state = seed, now = 0.0]() mutable {
            state = state * 1664525u + 1013904223u;
            return now += 1e-3 * (1 + state % 8);
        };
    }
};

TEST_F(AdaptiveRuns, TrialsDoNotChangeResults) {
    RuleFile const file = read_rule_file(rule_examples + "life.rules");
    for (std::string const& side : cases<std::string>({"5", "16", "48"}, {"5"})) {
        for (bool const to_fixed_point : {false, true}) {
            for (unsigned const seed : cases<unsigned>({1u, 2u, 3u}, {1u})) {
                Work work;
                work.states = 3;
                work.settings = {{"side", side}};
                work.passes = 140;
                work.to_fixed_point = to_fixed_point;
                work.clock = uneven_clock(seed);
                run_everywhere(file, work);
            }
        }
    }
}

// States that are over in the middle of a slice, at its end and after it.
TEST_F(AdaptiveRuns, FixedPointsAreExact) {
    for (std::string const& ring : cases<std::string>({"8", "64", "126", "128", "130", "320"}, {"64"})) {
        Work work;
        work.settings = {{"vertices", ring == "126" ? "1260" : ring == "130" ? "1300" : "640"}, {"ring", ring}};
        work.to_fixed_point = true;
        work.passes = 200;
        work.clock = uneven_clock(7);
        Results const results = run_everywhere(read_rule_file(rule_examples + "labels.rules"), work);
        EXPECT_EQ(results.last_change[0], static_cast<unsigned>(std::stoi(ring)) / 2);
    }
}

// The pass that ends a state still counts, and no pass after it: another slice or launch would count on.
TEST_F(AdaptiveRuns, AStateThatIsOverIsLeftAlone) {
    RuleFile const file = parse_rule_file(
        "column u64 passes[3000];\nrule Count over passes { bool condition(State const& s, u32 i) { return true; }\n"
        "bool evaluate(State& s, u32 i) { u64 const before = s.passes[i]; s.passes.set(i, before + 1);\n"
        "return before < 11 * s.number; } }\n",
        "own.rules");
    Work work;
    work.states = 5;
    work.passes = 140;
    work.to_fixed_point = true;
    work.out = {{"passes", path("passes.npy")}};
    for (std::optional<Geometry> const& geometry :
         {std::optional<Geometry>(), std::optional(Geometry{.warps_per_state = 8, .whole_grid = true})}) {
        work.geometry = geometry;
        work.clock = uneven_clock(5);
        Results const results = run_everywhere(file, work);
        auto const passes = values_of<std::uint64_t>("passes.npy", Type::u64, 3000);
        for (std::size_t state = 0; state < 5; ++state) {
            EXPECT_EQ(results.last_change[state], 11 * state);
            EXPECT_EQ(passes[3000 * state + 2999], 11 * state + 1);
        }
    }
}

TEST_F(AdaptiveRuns, TheKeptGeometryAndTheShareAreReported) {
    if (under_thread_sanitizer)
        GTEST_SKIP() << "150 passes take half a minute under ThreadSanitizer";
    Work work;
    work.machine = simt::Machine::emulator;
    work.states = 8;
    work.settings = {{"values", "1000"}, {"divergence", "4"}, {"load", "1"}};
    work.passes = 1;
    RuleFile const file = read_rule_file(rule_examples + "synthetic.rules");
    Results const once = run_rules(file, work);
    EXPECT_EQ(once.counted.tested, 8000u);  // few warps: all are in the sample
    EXPECT_NEAR(once.counted.share(), 0.75, 0.05);
    EXPECT_EQ(once.trials, 0u);
    work.passes = 150;
    work.clock = uneven_clock(1);
    Results const adaptive = run_rules(file, work);
    EXPECT_GE(adaptive.trials, 1u);
    EXPECT_EQ(adaptive.counted.tested, 150 * 8000u);
    EXPECT_EQ(adaptive.digests, once.digests);
    work.clock = uneven_clock(1);
    EXPECT_EQ(run_rules(file, work).geometry, adaptive.geometry);
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
