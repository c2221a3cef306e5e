#pragma once
// Kernels of replications whose counters are emulated (counted.cu).

#include <cstdint>

#include "common/replications/point.hpp"

namespace lockstep::replications {

enum class Scheme { threads, warps };

namespace emulator {

// Launches a job as the cases of the experiment do by default: blocks of one warp for `threads`, of four for `warps`.
void launch_pi(Scheme scheme, Point const& point, std::uint64_t replications);
void launch_mm1(Scheme scheme, Point const& point, std::uint64_t replications);
void launch_walk(Scheme scheme, Point const& point, std::uint64_t replications);

}  // namespace emulator
}  // namespace lockstep::replications
