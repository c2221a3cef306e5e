// The rewriter in passes: what instrumented runs count, and that counting changes nothing.

#include "harness/bench/measure.hpp"
#include "kernels/term_rewriting/as_printed/counted_apart.hpp"
#include "kernels/term_rewriting/as_printed/workload_input.hpp"
#include "tests/term_rewriting/topology.hpp"

namespace lockstep::term_rewriting {
namespace {

// An instrumented program computes the same result as the plain one, and a waiting subterm is read once per pass.
TEST_F(Topology, TrafficIsCounted) {
    Workload const workload = {"tree_merge_sort", shortened ? 0u : 1u, shortened ? 3u : 4u, 2};
    System const system = system_of(workload);
    auto const sums = [&](Options options) {
        options.counts_traffic = options.traces = true;
        options.first_slots = 1000;
        TopologyEngine engine(system, device(), options);
        engine.load(as_printed::input_of(system, workload));
        engine.run(test_limits());
        as_printed::Pass sum;
        for (as_printed::Pass const& pass : engine.passes()) {
            sum.redexes += pass.redexes;
            sum.own_bytes += pass.own_bytes;
            sum.random_bytes += pass.random_bytes;
            sum.random_accesses += pass.random_accesses;
            sum.allocations += pass.allocations;
            sum.atomics += pass.atomics;
            sum.checks += pass.checks;
            sum.slots = std::max(sum.slots, pass.slots);
        }
        return std::pair{sum, engine.passes().size()};
    };
    auto const [printed, passes] = sums({});
    auto const [plain, plain_passes] = sums({.shortcut = false});
    auto const [kept, kept_passes] = sums({.collects = false});
    EXPECT_EQ(printed.redexes, expected_result(workload)[2]);
    EXPECT_EQ(passes, plain_passes);
    EXPECT_LT(printed.checks, plain.checks);
    // Without counts, only the allocation of a new term uses an atomic.
    EXPECT_EQ(kept.atomics, kept.slots - as_printed::input_of(system, workload)->terms());
    EXPECT_GT(printed.atomics, 3 * kept.atomics);
    EXPECT_GT(printed.own_bytes, passes * 10);
    EXPECT_GT(printed.random_bytes, printed.redexes);
    // An access takes 1 to 4 bytes.
    EXPECT_LT(printed.random_accesses, printed.random_bytes);
    EXPECT_GT(4 * printed.random_accesses, printed.random_bytes);
    // Without collection each new slot is one allocation.
    EXPECT_EQ(kept.allocations, kept.slots - as_printed::input_of(system, workload)->terms());
}

// The program that is timed: no counts, and otherwise the same passes.
TEST_F(Topology, WithoutCountsThePassesAreTheSame) {
    Workload const workload = {"tree_merge_sort", shortened ? 1u : 3u, shortened ? 3u : 5u, 4};
    System const system = system_of(workload);
    for (Options options : {Options{}, Options{.order = Order::worklist}}) {
        std::optional<Outcome> counted;
        std::uint64_t slots = 0;
        std::uint64_t digest = 0;
        for (bool const counts : {true, false}) {
            options.counts_rewrites = counts;
            TopologyEngine engine(system, device(), options);
            engine.load(as_printed::input_of(system, workload));
            Outcome const outcome = engine.run(test_limits());
            ASSERT_EQ(outcome.end, End::finished);
            if (counts) {
                EXPECT_NE(outcome.rewrites(), 0u);
                counted = outcome;
                slots = engine.slots_used();
                digest = engine.normal_form_digest();
                continue;
            }
            EXPECT_EQ(outcome.rewrites(), 0u);
            EXPECT_FALSE(outcome.max_redexes);
            EXPECT_EQ(outcome.iterations, counted->iterations);
            EXPECT_EQ(engine.slots_used(), slots);
            EXPECT_EQ(engine.normal_form_digest(), digest);
        }
    }
}

// Engines with chosen results, in place of a program.
class ChosenCase : public bench::Case {
public:
    ChosenCase(bench::UnitResult result, double iterations)
        : Case({}), result_(std::move(result)), iterations_(iterations) {}
    void reset() override {}
    void run(simt::Stream) override {}
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        return std::vector<bench::UnitResult>(units.size(), result_);
    }
    bool is_host_driven() const override { return true; }
    bench::Work work() const override { return {.items = 7}; }
    bench::Metrics metrics() const override {
        return {{"iterations", iterations_}, {"rewrites", 7.0}, {"slots_used", iterations_}};
    }

private:
    bench::UnitResult result_;
    double iterations_;
};

TEST(CountedApart, NeedsTheNormalFormAndThePassesOfTheCountedRun) {
    auto const chosen = [](bench::UnitResult const& timed, double iterations) {
        return as_printed::make_case_counted_apart(
            {},
            [] {
                return std::make_unique<ChosenCase>(bench::UnitResult{1, 2, 7, 0, 7, 0}, 3);
            },
            [=] { return std::make_unique<ChosenCase>(timed, iterations); });
    };
    std::uint64_t const unit = 0;
    std::span const units(&unit, 1);
    auto const same = chosen({1, 2, 0, 0, 0, 0}, 3);
    EXPECT_EQ(same->results(units).at(0), (bench::UnitResult{1, 2, 7, 0, 7, 0}));
    EXPECT_EQ(same->work().items, 7);
    EXPECT_TRUE(same->is_host_driven());
    EXPECT_EQ(same->metrics().at("rewrites").value, 7);
    auto const another = chosen({1, 3, 0, 0, 0, 0}, 3);
    EXPECT_EQ(another->results(units).at(0), (bench::UnitResult{1, 3, 0, 0, 0, 0}));
    EXPECT_THROW(chosen({1, 2, 0, 0, 0, 0}, 4)->results(units), bench::Disagreement);
}

// One atomic for all slots of a step, so fewer atomics, and no index is lost or used twice.
TEST_F(Topology, OneAtomicTakesAllSlotsOfAStep) {
    Workload const workload = {"tree_merge_sort", shortened ? 0u : 1u, shortened ? 3u : 4u, 2};
    System const system = system_of(workload);
    auto const run = [&](bool together) {
        TopologyEngine engine(
            system, device(),
            {.takes_together = together, .counts_traffic = true, .first_slots = 1000, .traces = true});
        engine.load(as_printed::input_of(system, workload));
        Outcome const outcome = engine.run(test_limits());
        EXPECT_EQ(unit_result(engine.normal_form_digest(), outcome.applications), expected_result(workload));
        std::uint64_t atomics = 0;
        std::uint64_t allocations = 0;
        for (as_printed::Pass const& pass : engine.passes()) {
            atomics += pass.atomics;
            allocations += pass.allocations;
        }
        return std::tuple(atomics, allocations, engine.slots_used());
    };
    auto const [one_by_one, allocations, slots] = run(false);
    auto const [together, same_allocations, same_slots] = run(true);
    EXPECT_LT(together, one_by_one);
    EXPECT_EQ(same_allocations, allocations);
    EXPECT_EQ(same_slots, slots);
}

}  // namespace
}  // namespace lockstep::term_rewriting
