#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/replications/command.hpp"
#include "experiments/replications/device_parts.hpp"
#include "experiments/replications/experiment.hpp"
#include "experiments/replications/replicate_output.hpp"
#include "experiments/replications/replicate_progress.hpp"
#include "experiments/replications/replicate_request.hpp"
#include "experiments/replications/series.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/process.hpp"
#include "harness/cli/time_limit.hpp"
#include "harness/ranks/ranks.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::replications {

namespace {

using Simulations = std::vector<std::unique_ptr<Simulation>>;  // one per device

double items_of(Simulation const& simulation) {
    double items = 0;
    for (std::size_t point = 0; point < simulation.points(); ++point)
        items += static_cast<double>(simulation.items(point));
    return items;
}

// Runs replications `first` to `last` - 1 of every point, divided over the ranks, and appends them to the root's
// results.
bench::Machine extend(Results& results, Request const& request, Simulations const& simulations, std::uint64_t first,
                      std::uint64_t last) {
    bench::Machine machine = bench::Machine::cpu;
    std::vector<bench::UnitResult> found;
    ranks::together([&] {
        // The size of the largest part, so that all ranks choose the same machine.
        auto const largest = static_cast<double>(simt::ceil_div(last - first, ranks::count()));
        machine =
            choose_machine(request.machine, parse_scheme(request.scheme), largest * items_of(*simulations.front()));
        ranks::Part const part = ranks::part_of(first, last - first);
        found = run_in_parts(simulations, machine, part.first, part.units);
    });
    found = ranks::gathered(std::move(found));
    if (!ranks::is_root())
        return machine;
    auto next = std::make_move_iterator(found.begin());
    for (unsigned rank = 0; rank < ranks::count(); ++rank) {
        auto const part = static_cast<std::ptrdiff_t>(ranks::part_of(first, last - first, rank).units);
        for (std::vector<bench::UnitResult>& point : results) {
            point.insert(point.end(), next, next + part);
            next += part;
        }
    }
    return machine;
}

struct Ran {
    bench::Machine machine = bench::Machine::cpu;  // of the last replications
    bool is_precise = true;
};

// Runs until the estimates are precise, or for as many replications as the request allows.
Ran run_all(Results& results, Request const& request, Simulations const& simulations) {
    bool const stops = request.stops_by_precision();
    ReplicateProgress progress(stops ? request.max_replications : request.replications, stops);
    std::uint64_t done = 0;
    Ran ran;
    // The results do not depend on how a job is divided.
    auto const run_to = [&](std::uint64_t end) {
        double const items = static_cast<double>(end - done) * items_of(*simulations.front());
        std::uint64_t const part = progress.part_of(end - done, items);
        while (done < end) {
            progress.show(done);
            std::uint64_t const next = std::min(end, done + part);
            ran.machine = extend(results, request, simulations, done, next);
            done = next;
        }
    };
    // Only the root has the results, so it decides for all ranks.
    auto const enough = [&] {
        bool yes = false;
        if (ranks::is_root())
            yes = are_precise(estimates_of(*simulations.front(), results, request.analysis), request.analysis);
        return ranks::sum(yes ? 1 : 0) != 0;
    };
    run_to(request.replications);
    // Adds half as many again, in pairs.
    while (stops && !(ran.is_precise = enough()) && done < request.max_replications)
        run_to(std::min(request.max_replications, done + simt::round_up(done / 2 + 1, std::uint64_t{2})));
    return ran;
}

}  // namespace

int replicate_command(int argc, char const* const* argv) {
    bench::Experiment const experiment = make_experiment();
    Request const request = read_request(argc, argv, experiment);
    cli::TimeLimit const limit(request.timeout);
    std::optional<cli::EndlessTurns> ended;
    if (!request.model_file.empty())
        ended.emplace(request.model_file, "the model file");
    ModelSimulation* own = nullptr;
    Simulations const simulations = simulations_of(request, experiment, own);
    Simulation const& simulation = *simulations.front();
    std::optional<std::uint64_t> warm_up;
    ranks::together([&] {
        if (!request.series.empty())
            check_series(request, *own);
        if (own == nullptr || request.warm_up.empty())
            return;
        warm_up = warm_up_of(request, *own);
        for (std::unique_ptr<Simulation> const& each : simulations)
            each->set_warm_up(*warm_up);
    });

    Results results(simulation.points());
    Ran const ran = run_all(results, request, simulations);
    int const code = ran.is_precise ? 0 : 3;
    if (!ranks::is_root())
        return code;
    for (std::size_t point = 0; point < results.size(); ++point)
        simulation.check_means(point, results[point]);
    Estimates const estimates = estimates_of(simulation, results, request.analysis);
    Estimates differences;
    if (request.common_random_numbers)
        differences = differences_of(simulation, results, request.analysis);
    if (!request.csv.empty())
        bench::write_file_atomically(request.csv, csv_of(simulation, results));
    if (!request.series.empty())
        write_series(request, *own, results.front().size());
    Report const report = {simulation,
                           results,
                           request.analysis,
                           estimates,
                           differences,
                           request.scheme,
                           std::string(simt::to_string(ran.machine)),
                           request.seed,
                           request.max_replications,
                           warm_up,
                           request.coverage};
    if (request.json)
        cli::print_json(json_of(report));
    else
        print(report);
    if (ran.is_precise)
        return code;
    cli::finish_output();  // If the estimates cannot be printed, that is the one message.
    std::fprintf(stderr, "lockstep: %s\n", bench::message_line(what_was_reached(report)).c_str());
    return code;
}

}  // namespace lockstep::replications
