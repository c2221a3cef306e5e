#include "tests/support/agreement.hpp"

#include "harness/bench/digest.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::tests {

namespace {

constexpr unsigned max_named = 5;

}  // namespace

std::vector<bench::Variant const*> variants_under_test(bench::Experiment const& experiment) {
    std::vector<bench::Variant const*> found;
    for (bench::Machine const machine : machines_under_test()) {
        for (bench::Variant const& variant : experiment.variants) {
            if (variant.machine == machine)
                found.push_back(&variant);
        }
    }
    return found;
}

std::string test_name(bench::Variant const& variant) {
    return variant.name + "_" + std::string(simt::to_string(variant.machine));
}

void OnMachines::SetUp() {
    if (!why_not_here().empty())
        GTEST_SKIP() << why_not_here();
}

namespace {

void compare(bench::Case& made, bench::Problem const& problem, bench::Reference const& reference, int const runs) {
    std::vector<std::uint64_t> const units = all_units(problem);
    for (int run = 0; run < runs; ++run) {
        std::vector<bench::UnitResult> const results = run_all(made, problem);
        std::uint64_t digest = 0;
        unsigned wrong = 0;
        for (std::size_t i = 0; i < units.size(); ++i) {
            bench::UnitResult const expected = reference.unit(problem, units[i]);
            digest += bench::unit_digest(units[i], expected);
            if (results[i] == expected)
                continue;
            if (++wrong <= max_named) {
                EXPECT_EQ(results[i], expected) << "unit " << units[i] << " in run " << run;
            }
        }
        EXPECT_EQ(wrong, 0u) << "of " << units.size() << " units in run " << run;
        EXPECT_EQ(made.digest(), digest);
        // A unit requested alone has the same result as among all units.
        if (!units.empty()) {
            EXPECT_EQ(made.results({&units.back(), 1}).front(), results.back());
        }
    }
}

// A repeated problem has trials on a GPU (fastest_case.hpp), and under compute-sanitizer too many runs of them.
bool has_trials(bench::Variant const& variant) {
    return variant.name == "auto" && variant.machine == bench::Machine::cuda && !under_compute_sanitizer();
}

}  // namespace

std::unique_ptr<bench::Case> run_and_compare(bench::Experiment const& experiment, bench::Variant const& variant,
                                             bench::Problem const& problem, int const runs) {
    if (!variant.unsupported_reason(problem.axes).empty())
        return nullptr;
    std::string what = test_name(variant);
    for (auto const& [axis, value] : problem.axes.values())
        what += " " + axis + ":" + value;
    SCOPED_TRACE(what);
    bench::Reference const& reference = experiment.reference(bench::worker(variant, problem.axes).reference);
    if (has_trials(variant)) {
        bench::Problem repeated = problem;
        repeated.repeated = true;
        std::unique_ptr<bench::Case> const tried = variant.make(repeated);
        bench::Variant const* const chosen = tried->chosen_variant();
        compare(*tried, problem, chosen != nullptr ? experiment.reference(chosen->reference) : reference, 1);
    }
    std::unique_ptr<bench::Case> made = variant.make(problem);
    compare(*made, problem, reference, runs);
    return made;
}

}  // namespace lockstep::tests
