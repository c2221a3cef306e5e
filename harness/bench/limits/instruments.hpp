#pragma once
// What a measurement of limits needs beside a stopwatch: the clock that the device really ran at, and its datasheet's
// bandwidth.

#include <memory>

#include "harness/simt/devices.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::limits {

class ClockMeter {
public:
    virtual ~ClockMeter() = default;
    // Clocks a second of a multiprocessor at this moment: a kernel of a quarter of a millisecond that only counts.
    // Queued on `stream` right behind the load in question, so before the clock can change by much.
    virtual double hertz(simt::Stream stream) = 0;
};

// None but for cuda.
std::unique_ptr<ClockMeter> make_clock_meter(simt::Machine machine);

// What limits are compared with: the device as CUDA describes it.
struct DeviceFacts {
    simt::DeviceInfo device;
    double memory_bytes_per_second = 0;  // two transfers a memory clock over the bus width; 0 where not known
};

// Of the current CUDA device.
DeviceFacts device_facts(simt::DeviceInfo const& device);

namespace cuda {
std::unique_ptr<ClockMeter> make_clock_meter();
int memory_bus_bits();
}  // namespace cuda

}  // namespace lockstep::limits
