#include <iterator>

#include "harness/bench/limits/kernel_limits.hpp"

namespace lockstep::limits {

namespace {

using Family = std::vector<Limit> (*)(Scale const&);

std::vector<Limit> joined(std::vector<Family> const& families, Scale const& scale) {
    std::vector<Limit> all;
    for (Family const family : families) {
        std::vector<Limit> limits = family(scale);
        std::move(limits.begin(), limits.end(), std::back_inserter(all));
    }
    return all;
}

#if defined(LOCKSTEP_WITH_CUDA)
// The memory limits of the host CPU, for comparison with the GPU's.
std::vector<Limit> host_limits(Scale const&) {
    std::vector<Limit> limits;
    for (Limit& limit : cpu_limits()) {
        if (limit.name.starts_with("copy") || limit.name.starts_with("random_load")) {
            limit.name = "cpu." + limit.name;
            limits.push_back(std::move(limit));
        }
    }
    return limits;
}
#endif

}  // namespace

std::vector<Limit> limits_of(simt::Machine machine, Scale const& scale) {
    if (machine == simt::Machine::cpu) {
        return cpu_limits();
    }
    if (machine == simt::Machine::emulator) {
        return joined({emulator::memory_limits, emulator::l2_cache_limits, emulator::random_access_limits,
                       emulator::arithmetic_limits, emulator::warp_limits, emulator::shared_memory_limits,
                       emulator::random_word_limits, emulator::synchronisation_limits},
                      scale);
    }
#if defined(LOCKSTEP_WITH_CUDA)
    return joined(
        {cuda::library_limits, cuda::memory_limits, cuda::l2_cache_limits, cuda::random_access_limits,
         cuda::arithmetic_limits, cuda::special_function_limits, cuda::warp_limits, cuda::shared_memory_limits,
         cuda::random_word_limits, cuda::synchronisation_limits, cuda::transfer_limits, host_limits},
        scale);
#else
    return {};
#endif
}

}  // namespace lockstep::limits
