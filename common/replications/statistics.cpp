#include "common/replications/statistics.hpp"

#include <numbers>

#include "common/replications/coverage.hpp"
#include "common/replications/measures.hpp"
#include "harness/stats/goodness_of_fit.hpp"
#include "harness/stats/summary.hpp"

namespace lockstep::replications {

namespace {

double true_mean(Job const& job, double mean_of_all) {
    Point const& point = job.points.front();
    if (job.model == Model::pi)
        return std::numbers::pi;
    if (job.model == Model::mm1 || job.model == Model::branches)
        return mean_of_all;
    return point.items * (1.0 / point.chunk_width + 1.0 / point.chunk_height) / 2;
}

double chunks_p(Job const& job, std::vector<bench::UnitResult> const& results) {
    Point const& point = job.points.front();
    std::vector<std::uint64_t> walkers(map_width / point.chunk_width * (map_height / point.chunk_height));
    if (results.size() < 20 * walkers.size())
        return -1;
    for (bench::UnitResult const& result : results)
        ++walkers[result[1]];
    return stats::chi_square_uniform(walkers).p;
}

}  // namespace

bench::Metrics statistics_of(Job const& job, std::vector<bench::UnitResult> const& results) {
    bench::Metrics metrics;
    if (job.points.size() != 1 || results.size() < 2)
        return metrics;
    std::vector<std::string> const names = measure_names(job.model);
    std::vector<std::vector<double>> values(names.size());
    for (bench::UnitResult const& result : results) {
        std::vector<double> const measured = measures_of(job.model, {job.points.front().items, 0, 0}, result);
        for (std::size_t i = 0; i < names.size(); ++i)
            values[i].push_back(measured[i]);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        metrics["mean_" + names[i]] = stats::mean(values[i]);
        metrics["deviation_" + names[i]] = stats::sigma(values[i]).value_or(0);
    }
    Analysis student;
    student.mean_interval = MeanInterval::student;
    for (std::size_t const count : {3u, 10u, 30u, 100u}) {
        if (results.size() < 1000 * count)
            break;
        double const mean = true_mean(job, metrics["mean_" + names.front()]);
        metrics["coverage_" + std::to_string(count)] = coverage_of_mean(values.front(), count, mean, student).share();
    }
    if (job.model == Model::walk || job.model == Model::chunk_walk) {
        double const p = chunks_p(job, results);
        if (p >= 0)
            metrics["chunks_p"] = p;
    }
    return metrics;
}

}  // namespace lockstep::replications
