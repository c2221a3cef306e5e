#include "harness/bench/limits/instruments.hpp"

namespace lockstep::limits {

DeviceFacts device_facts(simt::DeviceInfo const& device) {
    return {device, 2.0 * device.memory_clock_khz * 1e3 * device.memory_bus_bits / 8};
}

#if defined(LOCKSTEP_WITH_CUDA)

std::unique_ptr<ClockMeter> make_clock_meter(simt::Machine machine) {
    return machine == simt::Machine::cuda ? cuda::make_clock_meter() : nullptr;
}

#else

std::unique_ptr<ClockMeter> make_clock_meter(simt::Machine) { return nullptr; }

#endif

}  // namespace lockstep::limits
