#include "harness/simt/devices.hpp"

#include <mutex>

#if defined(LOCKSTEP_WITH_CUDA)
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdio>

#include "harness/simt/cuda/check.hpp"
#endif

namespace lockstep::simt {

namespace {

thread_local std::optional<std::size_t> selected;

// As use_device(), but a failure stays for the next call that needs the device.
void return_to_device(std::size_t device) noexcept;

}  // namespace

std::optional<std::size_t> selected_device() { return selected; }

ScopedDevice::ScopedDevice(std::size_t const device)
    : before_(device_in_use()), changes_(before_ != device), returns_(selected.has_value() || before_ != 0) {
    if (changes_) {
        use_device(device);
    }
}

ScopedDevice::~ScopedDevice() {
    if (changes_ && returns_) {
        return_to_device(before_);
    }
}

#if defined(LOCKSTEP_WITH_CUDA)
namespace {

// True if the call succeeded. Otherwise the next launch must not report its error.
bool succeeds(cudaError_t status) {
    if (status != cudaSuccess)
        static_cast<void>(cudaGetLastError());
    return status == cudaSuccess;
}

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    return succeeds(cudaDeviceGetAttribute(&value, which, device)) ? value : 0;
}

std::string uuid_text(cudaUUID_t const& uuid) {
    std::string text;
    char digits[3];
    for (char const byte : uuid.bytes) {
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
        text += digits;
    }
    return text;
}

DeviceInfo describe(int device) {
    DeviceInfo info;
    cudaDeviceProp properties{};
    if (succeeds(cudaGetDeviceProperties(&properties, device))) {
        info.name = properties.name;
        info.uuid = uuid_text(properties.uuid);
        info.memory_bytes = properties.totalGlobalMem;
    }
    info.compute_capability_major = attribute(cudaDevAttrComputeCapabilityMajor, device);
    info.compute_capability_minor = attribute(cudaDevAttrComputeCapabilityMinor, device);
    info.multiprocessors = attribute(cudaDevAttrMultiProcessorCount, device);
    info.clock_khz = attribute(cudaDevAttrClockRate, device);
    info.memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, device);
    info.memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, device);
    info.l2_bytes = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize, device));
    info.shared_bytes_per_multiprocessor =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
    info.registers_per_multiprocessor = attribute(cudaDevAttrMaxRegistersPerMultiprocessor, device);
    info.max_threads_per_multiprocessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device);
    info.max_blocks_per_multiprocessor = attribute(cudaDevAttrMaxBlocksPerMultiprocessor, device);
    info.warp_size = attribute(cudaDevAttrWarpSize, device);
    succeeds(cudaDriverGetVersion(&info.driver_version));
    succeeds(cudaRuntimeGetVersion(&info.runtime_version));
    return info;
}

void return_to_device(std::size_t const device) noexcept {
    if (succeeds(cudaSetDevice(static_cast<int>(device))))
        selected = device;
}

}  // namespace

void use_device(std::size_t const device) {
    cuda::check(cudaSetDevice(static_cast<int>(device)), "cudaSetDevice");
    selected = device;
}

std::size_t device_in_use() {
    int device = 0;
    return succeeds(cudaGetDevice(&device)) ? static_cast<std::size_t>(device) : 0;
}

DeviceList cuda_devices() {
    DeviceList list;
    int count = 0;
    cudaError_t const status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
        list.reason = cuda::error_text(status);
        return list;
    }
    for (int device = 0; device < count; ++device) {
        list.devices.push_back(describe(device));
    }
    if (count == 0) {
        list.reason = "the driver reports no devices";
    }
    return list;
}

std::size_t cuda_device_count() {
    int count = 0;
    return succeeds(cudaGetDeviceCount(&count)) ? static_cast<std::size_t>(count) : 0;
}

void open_device() {
    if (cudaFree(nullptr) != cudaSuccess)
        static_cast<void>(cudaGetLastError());
}

bool cuda_driver_is_loaded() {
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (driver != nullptr)
        dlclose(driver);
    return driver != nullptr;
}

#else

DeviceList cuda_devices() { return {{}, "built without CUDA"}; }

std::size_t cuda_device_count() { return 0; }

void open_device() {}

bool cuda_driver_is_loaded() { return false; }

void use_device(std::size_t const device) { selected = device; }

std::size_t device_in_use() { return selected.value_or(0); }

namespace {

void return_to_device(std::size_t const device) noexcept { selected = device; }

}  // namespace

#endif

DeviceInfo current_device_info() {
    static std::mutex mutex;
    static std::vector<DeviceInfo> devices;
    std::lock_guard const lock(mutex);
    if (devices.empty())
        devices = cuda_devices().devices;
    std::size_t const device = device_in_use();
    return device < devices.size() ? devices[device] : DeviceInfo();
}

}  // namespace lockstep::simt
