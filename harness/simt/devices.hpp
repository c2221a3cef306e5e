#pragma once
// The CUDA devices of this computer, and why there are none.

#include <cstddef>
#include <string>
#include <vector>

namespace lockstep::simt {

struct DeviceInfo {
    std::string name;
    std::string uuid;
    int compute_capability_major = 0;
    int compute_capability_minor = 0;
    int multiprocessors = 0;
    int clock_khz = 0;  // the highest that the device states
    int memory_clock_khz = 0;
    std::size_t memory_bytes = 0;
    std::size_t l2_bytes = 0;
    std::size_t shared_bytes_per_multiprocessor = 0;
    int registers_per_multiprocessor = 0;
    int max_threads_per_multiprocessor = 0;
    int warp_size = 0;
    int driver_version = 0;  // as CUDA numbers it: 13000 is 13.0
    int runtime_version = 0;
};

// `reason` says why `devices` is empty: "built without CUDA", or the runtime's own error name.
struct DeviceList {
    std::vector<DeviceInfo> devices;
    std::string reason;
};

// Never throws for a missing driver or device: any error of the runtime means "no GPU".
DeviceList cuda_devices();

// Which of them this thread works on: 0 until `use_device` says otherwise.
void use_device(std::size_t device);
std::size_t device_in_use();

}  // namespace lockstep::simt
