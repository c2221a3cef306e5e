#include "experiments/replications/device_parts.hpp"

#include <exception>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "harness/bench/error.hpp"
#include "harness/simt/devices.hpp"

namespace lockstep::replications {

namespace {

struct DevicePart {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::vector<bench::UnitResult> results;
    std::exception_ptr error;
};

// Sizes differ by at most one.
std::vector<DevicePart> parts_of(std::uint64_t first, std::uint64_t count, std::size_t parts) {
    std::vector<DevicePart> all(parts);
    for (std::size_t i = 0; i < parts; ++i) {
        all[i].first = first;
        all[i].count = count / parts + (i < count % parts ? 1 : 0);
        first += all[i].count;
    }
    return all;
}

void run_on_gpus(std::vector<std::unique_ptr<Simulation>> const& simulations, std::vector<DevicePart>& parts) {
    std::size_t const gpus = simt::cuda_devices().devices.size();
    if (parts.size() > gpus)
        throw bench::Error("cannot use " + std::to_string(parts.size()) + " devices",
                           "this host has " + std::to_string(gpus), "Lower --devices.");
    std::size_t const in_use = simt::device_in_use();
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        threads.emplace_back([&, i] {
            try {
                simt::use_device((in_use + i) % gpus);
                parts[i].results = simulations[i]->run(bench::Machine::cuda, parts[i].first, parts[i].count);
            } catch (...) {
                parts[i].error = std::current_exception();
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

}  // namespace

std::vector<bench::UnitResult> run_in_parts(std::vector<std::unique_ptr<Simulation>> const& simulations,
                                            bench::Machine machine, std::uint64_t first, std::uint64_t count) {
    if (simulations.size() == 1)
        return simulations.front()->run(machine, first, count);
    std::vector<DevicePart> parts = parts_of(first, count, simulations.size());
    if (machine == bench::Machine::cuda) {
        run_on_gpus(simulations, parts);
    } else {
        for (std::size_t i = 0; i < parts.size(); ++i)
            parts[i].results = simulations[i]->run(machine, parts[i].first, parts[i].count);
    }
    for (DevicePart const& part : parts) {
        if (part.error)
            std::rethrow_exception(part.error);
    }
    std::vector<bench::UnitResult> all;
    for (std::size_t point = 0; point < simulations.front()->points(); ++point) {
        for (DevicePart& part : parts) {
            auto const begin = part.results.begin() + static_cast<std::ptrdiff_t>(point * part.count);
            all.insert(all.end(), std::make_move_iterator(begin),
                       std::make_move_iterator(begin + static_cast<std::ptrdiff_t>(part.count)));
        }
    }
    return all;
}

}  // namespace lockstep::replications
