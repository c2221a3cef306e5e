#include "tests/support/problems.hpp"

#include <numeric>

#include "harness/bench/axes.hpp"

namespace lockstep::tests {

bench::Problem problem_at(bench::Experiment const& experiment, Values const& values, std::uint64_t seed) {
    bench::Problem problem;
    problem.axes = bench::default_axes(experiment);
    for (auto const& [axis, value] : values)
        problem.axes.set(axis, value);
    problem.seed = seed;
    problem.units = experiment.units(problem.axes);
    return problem;
}

std::vector<std::uint64_t> all_units(bench::Problem const& problem) {
    std::vector<std::uint64_t> units(problem.units);
    std::iota(units.begin(), units.end(), problem.first_unit);
    return units;
}

std::vector<bench::UnitResult> run_all(bench::Case& made, bench::Problem const& problem) {
    made.reset();
    made.run({});
    return made.results(all_units(problem));
}

}  // namespace lockstep::tests
