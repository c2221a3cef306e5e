#include "experiments/replications/series.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>

#include "experiments/replications/parquet.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/output_target.hpp"
#include "harness/stats/warm_up.hpp"

namespace lockstep::replications {

namespace {

constexpr std::uint64_t max_pilot = 30;                       // replications whose average MSER-5 sees
constexpr std::uint64_t max_values = std::uint64_t{1} << 27;  // in memory at a time, and in a file

bench::Machine machine_for(Request const& request, double items) {
    return choose_machine(request.machine, parse_scheme(request.scheme), items);
}

void require_room(ModelSimulation const& simulation, std::uint64_t replications) {
    double values = 0;
    for (std::size_t point = 0; point < simulation.points(); ++point)
        values += static_cast<double>(simulation.items(point) * replications) *
                  static_cast<double>(simulation.mean_count() * simulation.points());
    if (values > static_cast<double>(max_values))
        throw bench::Error("the series are too long", "they have more than 2^27 values",
                           "Use fewer replications, points or steps.");
}

// The average of the series over the replications, as far as all of them go.
std::vector<double> average(std::vector<Series> const& all, std::size_t mean) {
    std::size_t steps = std::numeric_limits<std::size_t>::max();
    for (Series const& series : all)
        steps = std::min(steps, series.size());
    std::vector<double> values(steps);
    for (Series const& series : all) {
        for (std::size_t step = 0; step < steps; ++step)
            values[step] += series[step][mean] / static_cast<double>(all.size());
    }
    return values;
}

std::uint64_t mser5_of(Request const& request, ModelSimulation& simulation) {
    std::uint64_t const pilot = std::min(request.replications, max_pilot);
    require_room(simulation, pilot);
    std::uint64_t steps = 0;
    for (std::size_t point = 0; point < simulation.points(); ++point) {
        auto const items = static_cast<double>(simulation.items(point)) * static_cast<double>(pilot);
        std::vector<Series> const all = simulation.record(machine_for(request, items), point, 0, pilot);
        for (std::size_t mean = 0; mean < simulation.mean_count(); ++mean) {
            std::optional<std::size_t> const found = stats::mser5(average(all, mean));
            if (!found)
                throw bench::Error("MSER-5 finds no warm-up of " + simulation.measure_names()[mean] + " at point " +
                                       std::to_string(point),
                                   "the replications are too short", "Raise the parameter steps.");
            steps = std::max<std::uint64_t>(steps, *found);
        }
    }
    return steps;
}

std::string csv_of(Request const& request, ModelSimulation& simulation, std::uint64_t replications) {
    std::string text = "point,replication,step";
    for (std::size_t mean = 0; mean < simulation.mean_count(); ++mean)
        text += "," + simulation.measure_names()[mean];
    text += "\n";
    char number[40];
    for (std::size_t point = 0; point < simulation.points(); ++point) {
        auto const items = static_cast<double>(simulation.items(point)) * static_cast<double>(replications);
        std::vector<Series> const all = simulation.record(machine_for(request, items), point, 0, replications);
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (std::size_t step = 0; step < all[i].size(); ++step) {
                text += std::to_string(point) + "," + std::to_string(i) + "," + std::to_string(step + 1);
                for (double const value : all[i][step]) {
                    std::snprintf(number, sizeof number, ",%.17g", value);
                    text += number;
                }
                text += "\n";
            }
        }
    }
    return text;
}

}  // namespace

std::uint64_t warm_up_of(Request const& request, ModelSimulation& simulation) {
    std::uint64_t const steps =
        request.warm_up == "mser-5" ? mser5_of(request, simulation) : std::stoull(request.warm_up);
    for (std::size_t point = 0; point < simulation.points(); ++point) {
        if (steps >= simulation.items(point))
            throw bench::Error("a warm-up of " + std::to_string(steps) + " steps is too long",
                               "point " + std::to_string(point) + " has " + std::to_string(simulation.items(point)),
                               "Raise the parameter steps.");
    }
    return steps;
}

void check_series(Request const& request, ModelSimulation const& simulation) {
    bench::output_target(request.series);
    if (!request.stops_by_precision())
        require_room(simulation, request.replications);
}

void write_series(Request const& request, ModelSimulation& simulation, std::uint64_t replications) {
    require_room(simulation, replications);
    std::string const csv = csv_of(request, simulation, replications);
    if (is_parquet(request.series))
        write_parquet(request.series, csv);
    else
        bench::write_file_atomically(request.series, csv);
}

}  // namespace lockstep::replications
