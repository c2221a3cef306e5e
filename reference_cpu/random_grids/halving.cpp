// Borsos' algorithm on one CPU thread: the references `halving` (one engine per stream) and `halving_by_lane` (one
// engine per lane, 32 lanes), and variants of both that also count steps and words.

#include "reference_cpu/random_grids/halving.hpp"

#include <algorithm>

#include "common/random_grids/engines.hpp"
#include "common/random_grids/expected_steps.hpp"
#include "harness/bench/make_variant.hpp"
#include "reference_cpu/random_grids/cpu_case.hpp"
#include "reference_cpu/random_grids/legal_counts.hpp"
#include "reference_cpu/random_grids/references.hpp"
#include "reference_cpu/random_grids/step_statistics.hpp"
#include "reference_cpu/random_grids/stream.hpp"

namespace lockstep::random_grids {

namespace {

// Calls after_set(words drawn) after each set.
template <class Observer, class AfterSet>
bench::UnitResult halving_unit(bench::Problem const& problem, std::uint64_t unit, unsigned lanes, Observer&& observer,
                               AfterSet&& after_set) {
    Workload const workload = read_workload(problem.axes);
    Rows const rows{workload.shape.height, workload.shape.words_per_row(), lanes};
    return cpu::with_engine(workload.engine, [&]<class Engine>() {
        std::vector<Engine> engines;
        for (unsigned lane = 0; lane < lanes; ++lane)
            engines.push_back(Engine::stream(problem.seed, unit, lane));
        return draw_stream(workload, problem.seed, unit, lanes, [&](Words const& among, unsigned occupied, unsigned) {
            std::uint64_t words = 0;
            Words set = halve(
                among, rows, occupied,
                [&](unsigned lane) {
                    ++words;
                    return engines[lane]();
                },
                observer);
            after_set(words);
            return set;
        });
    });
}

// Counts over the problem's first streams, for about one second.
bench::Metrics count_steps(bench::Problem const& problem, unsigned lanes) {
    Workload const workload = read_workload(problem.axes);
    StepStatistics statistics;
    double const words_per_stream = 10.0 * workload.length * workload.words_per_board();
    std::uint64_t const streams = std::max<std::uint64_t>(32, static_cast<std::uint64_t>(4e7 / words_per_stream));
    for (std::uint64_t i = 0; i < std::min(problem.units, streams); ++i) {
        statistics.begin_stream(i);
        halving_unit(problem, problem.first_unit + i, lanes, statistics,
                     [&](std::uint64_t words) { statistics.end_set(words); });
        statistics.end_stream(i);
    }
    bench::Metrics metrics = statistics.metrics(true);
    metrics.merge(count_legal(problem, lanes));
    unsigned const sites = workload.shape.sites();
    if (sites <= 1024 && workload.planes() == 1) {
        std::vector<double> const expected = expected_steps(sites);
        double sum = 0;
        for (double const steps : expected)
            sum += steps;
        metrics["steps_expected"] = workload.mixed() ? sum / (sites + 1) : expected[workload.occupied[0]];
    }
    return metrics;
}

bench::Variant cpu_variant(std::string const& name, unsigned lanes, std::string const& description) {
    return bench::cpu::make_variant(
        name, bench::Role::reference, name, description,
        [lanes](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
            return std::make_unique<CpuCase>(
                problem, lanes, Method::halving,
                [lanes](bench::Problem const& asked, std::uint64_t unit) { return halving_stream(asked, unit, lanes); },
                [lanes](bench::Problem const& asked) { return count_steps(asked, lanes); });
        });
}

}  // namespace

bench::UnitResult halving_stream(bench::Problem const& problem, std::uint64_t unit, unsigned lanes) {
    return halving_unit(problem, unit, lanes, NoObserver{}, [](std::uint64_t) {});
}

namespace cpu {

void add_halving(bench::Experiment& experiment) {
    for (auto const& [name, lanes] : {std::pair{"halving", 1u}, std::pair{"halving_by_lane", 32u}}) {
        experiment.references.push_back({name, [lanes = lanes](bench::Problem const& problem, std::uint64_t unit) {
                                             return halving_stream(problem, unit, lanes);
                                         }});
    }
    experiment.variants.push_back(cpu_variant(
        "halving", 1,
        "the algorithm on one CPU thread, one engine per stream (slide: Single core bit-parallel algorithm)"));
    experiment.variants.push_back(cpu_variant(
        "halving_by_lane", 32, "the algorithm with one engine per lane for 32 lanes, in warpwise's order of words"));
}

}  // namespace cpu

}  // namespace lockstep::random_grids
