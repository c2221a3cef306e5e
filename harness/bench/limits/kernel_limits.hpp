#pragma once
// The limits whose probes are kernels: one function a family, defined once for CUDA and once for the emulator, where
// the same kernels are executed at Scale::tiny() for a right result. Each returns the limits of its `.cu` file.

#include <vector>

#include "harness/bench/limits/limit.hpp"

namespace lockstep::limits {

namespace emulator {
std::vector<Limit> memory_limits(Scale const& scale);
std::vector<Limit> random_access_limits(Scale const& scale);
std::vector<Limit> arithmetic_limits(Scale const& scale);
std::vector<Limit> warp_limits(Scale const& scale);
std::vector<Limit> shared_memory_limits(Scale const& scale);
std::vector<Limit> random_word_limits(Scale const& scale);
std::vector<Limit> synchronisation_limits(Scale const& scale);
}  // namespace emulator

namespace cuda {
std::vector<Limit> memory_limits(Scale const& scale);
std::vector<Limit> random_access_limits(Scale const& scale);
std::vector<Limit> arithmetic_limits(Scale const& scale);
std::vector<Limit> warp_limits(Scale const& scale);
std::vector<Limit> shared_memory_limits(Scale const& scale);
std::vector<Limit> random_word_limits(Scale const& scale);
std::vector<Limit> synchronisation_limits(Scale const& scale);
std::vector<Limit> library_limits(Scale const& scale);  // CUDA's own copy and launch; on CUDA alone
}  // namespace cuda

// All limits of a machine, in the order of the table. `cuda` is empty in a build without CUDA; it ends with the memory
// of the CPU, names that begin with `cpu.` and machine cpu.
std::vector<Limit> limits_of(simt::Machine machine, Scale const& scale);

// What the CPU does: copy and random loads by all cores, population counts and multiply-adds by one.
std::vector<Limit> cpu_limits();

}  // namespace lockstep::limits
