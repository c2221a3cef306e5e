#pragma once
// Several GPUs of one host in one process: each has a thread and a simulation of its own.

#include <cstdint>
#include <memory>
#include <vector>

#include "experiments/replications/simulation.hpp"

namespace lockstep::replications {

// Runs replications first .. first + count - 1 of every point, in one part per simulation, and returns their results
// point by point, as Simulation::run() does. They do not depend on the number of parts. On machine cuda, part i runs on
// the i-th GPU after the one in use; the CPU and the emulator run one part after another. Throws bench::Error if there
// are fewer GPUs, and the first error of a part.
std::vector<bench::UnitResult> run_in_parts(std::vector<std::unique_ptr<Simulation>> const& simulations,
                                            bench::Machine machine, std::uint64_t first, std::uint64_t count);

}  // namespace lockstep::replications
