// Streams by list or by probe, and how many steps they take.

#include "reference_cpu/random_grids/traditional.hpp"

#include <algorithm>

#include "common/random_grids/engines.hpp"
#include "harness/bench/make_variant.hpp"
#include "harness/random/bounded.hpp"
#include "reference_cpu/random_grids/cpu_case.hpp"
#include "reference_cpu/random_grids/step_statistics.hpp"

namespace lockstep::random_grids {

namespace {

Method method_of(Traditional algorithm) { return algorithm == Traditional::list ? Method::list : Method::probe; }

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
bench::UnitResult traditional_unit(Traditional algorithm, bench::Problem const& problem, std::uint64_t unit,
                                   AfterSet&& after_set) {
    Workload const workload = read_workload(problem.axes);
    return cpu::with_engine(workload.engine, [&]<class Engine>() {
        Counted<Engine> engine{Engine::stream(problem.seed, unit, 0)};
        auto const below = [&](unsigned n) { return random::cpu::bounded(engine, n); };
        return draw_stream(workload, problem.seed, unit, 1, [&](Words const& among, unsigned occupied, unsigned) {
            std::uint64_t const words = engine.words;
            std::uint64_t steps = algorithm == Traditional::list ? occupied : 0;
            Words set = algorithm == Traditional::list ? draw_by_list(among, occupied, below)
                                                       : draw_by_probe(among, workload.shape, occupied, below, &steps);
            after_set(steps, engine.words - words);
            return set;
        });
    });
}

bench::Metrics count_steps(Traditional algorithm, bench::Problem const& problem) {
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
    if (algorithm == Traditional::probe && !workload.mixed() && workload.planes() == 1) {
        double const sites = workload.shape.sites();
        double expected = 0;
        for (unsigned i = 0; i < workload.occupied[0]; ++i)
            expected += sites / (sites - i);
        metrics["steps_expected"] = expected;
    }
    return metrics;
}

}  // namespace

void add_traditional(bench::Experiment& experiment, Traditional algorithm, std::string const& name,
                     std::string const& description) {
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

}  // namespace lockstep::random_grids
