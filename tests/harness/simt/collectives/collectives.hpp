#pragma once
// Runs the collectives and atomics of the kernel header and returns each lane's results, which must be equal on all
// machines.

#include <vector>

namespace lockstep::collectives {

inline constexpr unsigned results_per_lane = 40;

namespace emulator {
std::vector<unsigned> run_collectives();
std::vector<unsigned> run_indices();
std::vector<unsigned> run_early_exit(unsigned threads);
}  // namespace emulator

namespace cuda {
std::vector<unsigned> run_collectives();
std::vector<unsigned> run_indices();
std::vector<unsigned> run_early_exit(unsigned threads);
}  // namespace cuda

}  // namespace lockstep::collectives
