#pragma once
// Instruments for measuring limits, in addition to a stopwatch: the clock rate at which the device actually ran, and
// its datasheet bandwidth.

#include <memory>

#include "harness/simt/devices.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::limits {

class ClockMeter {
public:
    virtual ~ClockMeter() = default;
    // Measures the current clock rate of a multiprocessor with a kernel that only counts, for a quarter of a
    // millisecond. The kernel is queued on `stream` immediately after the load in question, before the clock can change
    // much.
    virtual double hertz(simt::Stream stream) = 0;
};

// Returns null for machines other than cuda.
std::unique_ptr<ClockMeter> make_clock_meter(simt::Machine machine);

// Facts with which limits are compared: the device as CUDA describes it.
struct DeviceFacts {
    simt::DeviceInfo device;
    double memory_bytes_per_second = 0;  // two transfers per memory clock times bus width; 0 if unknown
};

// Returns the facts of the current CUDA device.
DeviceFacts device_facts(simt::DeviceInfo const& device);

namespace cuda {
std::unique_ptr<ClockMeter> make_clock_meter();
}  // namespace cuda

}  // namespace lockstep::limits
