#pragma once
// The CUDA devices of this computer, or the reason why there are none.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::simt {

struct DeviceInfo {
    std::string name;
    std::string uuid;
    int compute_capability_major = 0;
    int compute_capability_minor = 0;
    int multiprocessors = 0;
    int clock_khz = 0;  // the maximum that the device reports
    int memory_clock_khz = 0;
    int memory_bus_bits = 0;
    std::size_t memory_bytes = 0;
    std::size_t l2_bytes = 0;
    std::size_t shared_bytes_per_multiprocessor = 0;
    int registers_per_multiprocessor = 0;
    int max_threads_per_multiprocessor = 0;
    int max_blocks_per_multiprocessor = 0;
    int warp_size = 0;
    int driver_version = 0;  // CUDA's encoding: 13000 is 13.0
    int runtime_version = 0;
};

// `reason` states why `devices` is empty: "built without CUDA", or the runtime's error.
struct DeviceList {
    std::vector<DeviceInfo> devices;
    std::string reason;
};

// Does not throw if the driver or a device is missing: any runtime error means "no GPU".
DeviceList cuda_devices();

// The number of devices, without a description of each: some values of a description are slow to read. Loads CUDA's
// driver, but opens no device.
std::size_t cuda_device_count();

// Opens the device that this thread uses, which otherwise happens at its first use. That use reports errors.
void open_device();

// True if the process has loaded CUDA's driver. Until then, every thread uses device 0.
bool cuda_driver_is_loaded();

// Selects and returns the index of the device that this thread uses. Initially 0.
void use_device(std::size_t device);
std::size_t device_in_use();

// The device that this thread uses. All numbers are 0 if there is none.
DeviceInfo current_device_info();

// The device that this thread has selected by use_device(), if any. Unlike device_in_use(), this does not load the
// driver. A thread that works for this one selects the same device, because a new thread uses device 0.
std::optional<std::size_t> selected_device();

// Uses a device in a scope. Does nothing if the thread uses it already. At the end the thread uses the device of
// before, unless that is device 0 and the thread never selected a device: to select it would open it.
class ScopedDevice {
public:
    explicit ScopedDevice(std::size_t device);
    ~ScopedDevice();
    ScopedDevice(ScopedDevice const&) = delete;
    ScopedDevice& operator=(ScopedDevice const&) = delete;

private:
    std::size_t before_;
    bool changes_;
    bool returns_;
};

}  // namespace lockstep::simt
