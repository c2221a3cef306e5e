#include "reference_cpu/random_grids/step_statistics.hpp"

#include <cmath>
#include <cstdio>

namespace lockstep::random_grids {

std::map<std::string, double> StepStatistics::figures(bool histogram) const {
    std::map<std::string, double> figures;
    if (sets_ == 0)
        return figures;
    double const sets = static_cast<double>(sets_);
    double const mean = total_steps_ / sets;
    figures["sets_counted"] = sets;
    figures["steps_mean"] = mean;
    figures["steps_sigma"] = std::sqrt(std::max(0.0, total_squares_ / sets - mean * mean));
    figures["words_mean"] = total_words_ / sets;
    if (total_steps_ > 0 && kept_ > 0) {
        figures["candidates_kept"] = kept_ / total_steps_;
        figures["steps_included"] = included_ / total_steps_;
    }
    if (slowest_sets_ > 0 && mean > 0) {
        figures["steps_slowest_of_32"] = slowest_sum_ / static_cast<double>(slowest_sets_);
        figures["divergence_factor"] = figures["steps_slowest_of_32"] / mean;
    }
    if (histogram) {
        for (auto const& [steps, count] : histogram_) {
            char name[32];
            std::snprintf(name, sizeof name, "steps_share_%02u", steps);
            figures[name] = static_cast<double>(count) / sets;
        }
    }
    return figures;
}

}  // namespace lockstep::random_grids
