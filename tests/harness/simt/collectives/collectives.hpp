#pragma once
// Every collective, atomic and intrinsic of the kernel header, once, with the results of each lane. The same on all
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
