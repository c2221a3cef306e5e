#include "reference_cpu/random_grids/step_statistics.hpp"

#include <cmath>
#include <cstdio>

namespace lockstep::random_grids {

bench::Metrics StepStatistics::metrics(bool histogram) const {
    bench::Metrics metrics;
    if (sets_ == 0)
        return metrics;
    double const sets = static_cast<double>(sets_);
    double const mean = total_steps_ / sets;
    metrics["sets_counted"] = sets;
    metrics["steps_mean"] = mean;
    metrics["steps_sigma"] = std::sqrt(std::max(0.0, total_squares_ / sets - mean * mean));
    metrics["words_mean"] = total_words_ / sets;
    if (total_steps_ > 0 && kept_ > 0) {
        metrics["candidates_kept"] = kept_ / total_steps_;
        metrics["steps_included"] = included_ / total_steps_;
    }
    if (slowest_sets_ > 0 && mean > 0) {
        metrics["steps_slowest_of_32"] = slowest_sum_ / static_cast<double>(slowest_sets_);
        metrics["divergence_factor"] = metrics["steps_slowest_of_32"] / mean;
    }
    if (histogram) {
        for (auto const& [steps, count] : histogram_) {
            char name[32];
            std::snprintf(name, sizeof name, "steps_share_%02u", steps);
            metrics[name] = static_cast<double>(count) / sets;
        }
    }
    return metrics;
}

}  // namespace lockstep::random_grids
