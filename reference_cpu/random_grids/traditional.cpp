// Reference and CPU variant of list and of probe, which also count steps.

#include "reference_cpu/random_grids/traditional.hpp"

#include <algorithm>

#include "common/random_grids/engines.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/random/bounded.hpp"
#include "reference_cpu/random_grids/cpu_case.hpp"
#include "reference_cpu/random_grids/references.hpp"
#include "reference_cpu/random_grids/step_statistics.hpp"

namespace lockstep::random_grids {

namespace {

enum class Algorithm { list, probe };

Method method_of(Algorithm algorithm) { return algorithm == Algorithm::list ? Method::list : Method::probe; }

// An engine that counts the words it gave.
template <class Engine>
struct Counted {
    using result_type = unsigned;
    static constexpr unsigned min() { return Engine::min(); }
    static constexpr unsigned max() { return Engine::max(); }
    unsigned operator()() {
        ++words;
        return engine();
    }
    Engine engine;
    std::uint64_t words = 0;
};

// after_set(steps, words) follows each set.
template <class AfterSet>
bench::UnitResult traditional_unit(Algorithm algorithm, bench::Problem const& problem, std::uint64_t unit,
                                   AfterSet&& after_set) {
    Workload const workload = read_workload(problem.axes);
    return cpu::with_engine(workload.engine, [&]<class Engine>() {
        Counted<Engine> engine{Engine::stream(problem.seed, unit, 0)};
        auto const below = [&](unsigned n) { return random::cpu::bounded(engine, n); };
        return draw_stream(workload, problem.seed, unit, 1, [&](Words const& among, unsigned occupied, unsigned) {
            std::uint64_t const words = engine.words;
            std::uint64_t steps = algorithm == Algorithm::list ? occupied : 0;
            Words set = algorithm == Algorithm::list ? draw_by_list(among, occupied, below)
                                                     : draw_by_probe(among, workload.shape, occupied, below, &steps);
            after_set(steps, engine.words - words);
            return set;
        });
    });
}

bench::Metrics count_steps(Algorithm algorithm, bench::Problem const& problem) {
    Workload const workload = read_workload(problem.axes);
    StepStatistics statistics;
    double const steps_per_stream = 4.0 * workload.length * workload.shape.sites();
    std::uint64_t const streams = std::max<std::uint64_t>(32, static_cast<std::uint64_t>(4e7 / steps_per_stream));
    for (std::uint64_t i = 0; i < std::min(problem.units, streams); ++i) {
        statistics.begin_stream(i);
        traditional_unit(algorithm, problem, problem.first_unit + i, [&](std::uint64_t steps, std::uint64_t words) {
            statistics.add_steps(steps);
            statistics.end_set(words);
        });
        statistics.end_stream(i);
    }
    bench::Metrics metrics = statistics.metrics(false);
    if (algorithm == Algorithm::probe && !workload.mixed() && workload.planes() == 1) {
        double const sites = workload.shape.sites();
        double expected = 0;
        for (unsigned i = 0; i < workload.occupied[0]; ++i)
            expected += sites / (sites - i);
        metrics["steps_expected"] = expected;
    }
    return metrics;
}

void add(bench::Experiment& experiment, Algorithm algorithm, std::string const& name, std::string const& description) {
    auto const unit = [algorithm](bench::Problem const& problem, std::uint64_t number) {
        return traditional_unit(algorithm, problem, number, [](std::uint64_t, std::uint64_t) {});
    };
    experiment.references.push_back({name, unit});
    experiment.variants.push_back(bench::cpu::make_variant(
        name, bench::Role::baseline, name, description,
        [algorithm, unit](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
            return std::make_unique<CpuCase>(
                problem, 1, method_of(algorithm), unit,
                [algorithm](bench::Problem const& asked) { return count_steps(algorithm, asked); });
        }));
}

}  // namespace

namespace cpu {

void add_traditional(bench::Experiment& experiment) {
    add(experiment, Algorithm::list, "list",
        "picks from a list of empty sites (slide: Traditional algorithms, variation 1)");
    add(experiment, Algorithm::probe, "probe", "probes sites at random (slide: Traditional algorithms, variation 2)");
}

}  // namespace cpu

}  // namespace lockstep::random_grids
