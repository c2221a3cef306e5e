#pragma once
// The limits whose probes are kernels: one function per family, defined for CUDA and for the emulator, where the same
// kernels run at Scale::tiny() to verify their results. Each function returns the limits of its `.cu` file.

#include <vector>

#include "harness/bench/limits/limit.hpp"

namespace lockstep::limits {

namespace emulator {
std::vector<Limit> memory_limits(Scale const& scale);
std::vector<Limit> l2_cache_limits(Scale const& scale);
std::vector<Limit> random_access_limits(Scale const& scale);
std::vector<Limit> arithmetic_limits(Scale const& scale);
std::vector<Limit> warp_limits(Scale const& scale);
std::vector<Limit> shared_memory_limits(Scale const& scale);
std::vector<Limit> random_word_limits(Scale const& scale);
std::vector<Limit> synchronisation_limits(Scale const& scale);
}  // namespace emulator

namespace cuda {
std::vector<Limit> memory_limits(Scale const& scale);
std::vector<Limit> l2_cache_limits(Scale const& scale);
std::vector<Limit> random_access_limits(Scale const& scale);
std::vector<Limit> arithmetic_limits(Scale const& scale);
std::vector<Limit> warp_limits(Scale const& scale);
std::vector<Limit> shared_memory_limits(Scale const& scale);
std::vector<Limit> random_word_limits(Scale const& scale);
std::vector<Limit> synchronisation_limits(Scale const& scale);

// Only CUDA has these: its own copy and launches, PTX instructions, transfers between host and device.
std::vector<Limit> library_limits(Scale const& scale);
std::vector<Limit> special_function_limits(Scale const& scale);
std::vector<Limit> transfer_limits(Scale const& scale);
}  // namespace cuda

// Returns all limits of a machine, in table order. For `cuda` the list is empty in a build without CUDA; otherwise it
// ends with the host CPU's memory limits, whose names begin with `cpu.` and whose machine is cpu.
std::vector<Limit> limits_of(simt::Machine machine, Scale const& scale);

// The CPU's limits: copy and random loads by all cores, population counts and multiply-adds by one core.
std::vector<Limit> cpu_limits();

}  // namespace lockstep::limits
