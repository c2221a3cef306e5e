#include "harness/simt/cuda_api/devices.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "harness/simt/cuda_api/capture.hpp"
#include "harness/simt/cuda_api/kernel_attributes.hpp"
#include "harness/simt/cuda_api/qualifiers.hpp"

namespace lockstep::simt::cuda {
namespace {

cudaDeviceProp make_properties() {
    cudaDeviceProp p{};
    std::strcpy(p.name, "Lockstep SIMT emulator");
    p.totalGlobalMem = device_memory_bytes;
    p.sharedMemPerBlock = device_limits.shared_bytes_per_block;
    p.sharedMemPerBlockOptin = device_limits.shared_bytes_per_block_opt_in;
    p.sharedMemPerMultiprocessor = device_limits.shared_bytes_per_multiprocessor;
    p.reservedSharedMemPerBlock = 1024;
    p.regsPerBlock = p.regsPerMultiprocessor = 65536;
    p.warpSize = 32;
    p.memPitch = 2147483647;
    p.maxThreadsPerBlock = static_cast<int>(device_limits.threads_per_block);
    p.maxThreadsPerMultiProcessor = static_cast<int>(device_limits.threads_per_multiprocessor);
    p.maxBlocksPerMultiProcessor = static_cast<int>(device_limits.blocks_per_multiprocessor);
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 2147483647;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.clockRate = 1000000;
    p.memoryClockRate = 1000000;
    p.memoryBusWidth = 256;
    p.totalConstMem = 65536;
    p.major = 8;
    p.minor = 0;
    p.textureAlignment = p.surfaceAlignment = 256;  // as device memory
    p.texturePitchAlignment = 32;
    // "Technical Specifications per Compute Capability" of the guide, 8.0.
    p.maxTexture1D = 131072;
    p.maxTexture1DLinear = 1 << 28;
    p.maxTexture2D[0] = p.maxSurface2D[0] = 131072;
    p.maxTexture2D[1] = p.maxSurface2D[1] = 65536;
    p.maxTexture2DLinear[0] = 131072;
    p.maxTexture2DLinear[1] = 65000;
    p.maxTexture2DLinear[2] = 2097120;
    p.maxTexture3D[0] = p.maxTexture3D[1] = p.maxTexture3D[2] = 16384;
    p.maxTextureCubemap = 32768;
    p.maxTexture1DLayered[0] = p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 32768;
    p.maxTexture1DLayered[1] = p.maxTexture2DLayered[2] = 2048;
    p.multiProcessorCount = static_cast<int>(device_limits.multiprocessors);
    p.l2CacheSize = 4 << 20;
    p.canMapHostMemory = p.unifiedAddressing = p.managedMemory = p.concurrentManagedAccess = 1;
    p.concurrentKernels = p.deviceOverlap = p.asyncEngineCount = p.streamPrioritiesSupported = 1;
    p.cooperativeLaunch = p.memoryPoolsSupported = p.hostRegisterSupported = 1;
    p.globalL1CacheSupported = p.localL1CacheSupported = p.hostNativeAtomicSupported = 1;
    p.canUseHostPointerForRegisteredMem = p.computePreemptionSupported = 1;
    p.singleToDoublePrecisionPerfRatio = 2;
    return p;
}

cudaDeviceProp const& properties_of_device() {
    static cudaDeviceProp const made = make_properties();
    return made;
}

// Attributes that are members of the properties.
struct Member {
    cudaDeviceAttr attribute;
    int cudaDeviceProp::*member;
};
constexpr Member int_members[] = {
    {cudaDevAttrMaxThreadsPerBlock, &cudaDeviceProp::maxThreadsPerBlock},
    {cudaDevAttrWarpSize, &cudaDeviceProp::warpSize},
    {cudaDevAttrMaxRegistersPerBlock, &cudaDeviceProp::regsPerBlock},
    {cudaDevAttrMaxRegistersPerMultiprocessor, &cudaDeviceProp::regsPerMultiprocessor},
    {cudaDevAttrClockRate, &cudaDeviceProp::clockRate},
    {cudaDevAttrGpuOverlap, &cudaDeviceProp::deviceOverlap},
    {cudaDevAttrMultiProcessorCount, &cudaDeviceProp::multiProcessorCount},
    {cudaDevAttrIntegrated, &cudaDeviceProp::integrated},
    {cudaDevAttrCanMapHostMemory, &cudaDeviceProp::canMapHostMemory},
    {cudaDevAttrConcurrentKernels, &cudaDeviceProp::concurrentKernels},
    {cudaDevAttrMemoryClockRate, &cudaDeviceProp::memoryClockRate},
    {cudaDevAttrGlobalMemoryBusWidth, &cudaDeviceProp::memoryBusWidth},
    {cudaDevAttrL2CacheSize, &cudaDeviceProp::l2CacheSize},
    {cudaDevAttrMaxThreadsPerMultiProcessor, &cudaDeviceProp::maxThreadsPerMultiProcessor},
    {cudaDevAttrMaxBlocksPerMultiprocessor, &cudaDeviceProp::maxBlocksPerMultiProcessor},
    {cudaDevAttrAsyncEngineCount, &cudaDeviceProp::asyncEngineCount},
    {cudaDevAttrUnifiedAddressing, &cudaDeviceProp::unifiedAddressing},
    {cudaDevAttrComputeCapabilityMajor, &cudaDeviceProp::major},
    {cudaDevAttrComputeCapabilityMinor, &cudaDeviceProp::minor},
    {cudaDevAttrStreamPrioritiesSupported, &cudaDeviceProp::streamPrioritiesSupported},
    {cudaDevAttrManagedMemory, &cudaDeviceProp::managedMemory},
    {cudaDevAttrConcurrentManagedAccess, &cudaDeviceProp::concurrentManagedAccess},
    {cudaDevAttrCooperativeLaunch, &cudaDeviceProp::cooperativeLaunch},
    {cudaDevAttrHostRegisterSupported, &cudaDeviceProp::hostRegisterSupported},
    {cudaDevAttrMemoryPoolsSupported, &cudaDeviceProp::memoryPoolsSupported},
    {cudaDevAttrGlobalL1CacheSupported, &cudaDeviceProp::globalL1CacheSupported},
    {cudaDevAttrLocalL1CacheSupported, &cudaDeviceProp::localL1CacheSupported},
    {cudaDevAttrHostNativeAtomicSupported, &cudaDeviceProp::hostNativeAtomicSupported},
    {cudaDevAttrComputePreemptionSupported, &cudaDeviceProp::computePreemptionSupported},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, &cudaDeviceProp::canUseHostPointerForRegisteredMem},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, &cudaDeviceProp::singleToDoublePrecisionPerfRatio},
};
struct SizeMember {
    cudaDeviceAttr attribute;
    std::size_t cudaDeviceProp::*member;
};
constexpr SizeMember size_members[] = {
    {cudaDevAttrMaxSharedMemoryPerBlock, &cudaDeviceProp::sharedMemPerBlock},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, &cudaDeviceProp::sharedMemPerBlockOptin},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, &cudaDeviceProp::sharedMemPerMultiprocessor},
    {cudaDevAttrReservedSharedMemoryPerBlock, &cudaDeviceProp::reservedSharedMemPerBlock},
    {cudaDevAttrTotalConstantMemory, &cudaDeviceProp::totalConstMem},
    {cudaDevAttrMaxPitch, &cudaDeviceProp::memPitch},
    {cudaDevAttrTextureAlignment, &cudaDeviceProp::textureAlignment},
};

int attribute_value(cudaDeviceAttr attribute) {
    cudaDeviceProp const& p = properties_of_device();
    if (attribute >= cudaDevAttrMaxBlockDimX && attribute <= cudaDevAttrMaxBlockDimZ) {
        return p.maxThreadsDim[attribute - cudaDevAttrMaxBlockDimX];
    }
    if (attribute >= cudaDevAttrMaxGridDimX && attribute <= cudaDevAttrMaxGridDimZ) {
        return p.maxGridSize[attribute - cudaDevAttrMaxGridDimX];
    }
    for (auto const& [known, member] : int_members) {
        if (known == attribute) {
            return p.*member;
        }
    }
    for (auto const& [known, member] : size_members) {
        if (known == attribute) {
            return static_cast<int>(p.*member);
        }
    }
    return 0;  // the device does not have it
}

cudaError_t check_device(int device) { return report(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }

}  // namespace

std::size_t resident_blocks(std::size_t threads, std::size_t shared_bytes) {
    DeviceLimits const& limits = device_limits;
    if (threads == 0 || threads > limits.threads_per_block) {
        return 0;
    }
    std::size_t const whole_warps = (threads + 31) / 32 * 32;
    std::size_t const used = shared_bytes + 1024;  // the driver reserves 1 KiB per block
    return std::min({limits.blocks_per_multiprocessor, limits.threads_per_multiprocessor / whole_warps,
                     limits.shared_bytes_per_multiprocessor / used});
}

cudaError_t occupancy(int* blocks, int threads, std::size_t shared_bytes) {
    if (blocks == nullptr || threads <= 0) {
        return report(cudaErrorInvalidValue);
    }
    *blocks = static_cast<int>(resident_blocks(static_cast<std::size_t>(threads), shared_bytes));
    return cudaSuccess;
}

// The largest block of whole warps with which most threads are resident, as cuda_occupancy.h finds it.
cudaError_t best_block(int* min_grid, int* block, void const* kernel, std::size_t shared_bytes, int limit) {
    auto const bound = static_cast<std::size_t>(max_threads_of(kernel));
    std::size_t const most = limit <= 0 ? bound : std::min(static_cast<std::size_t>(limit), bound);
    std::size_t best = most;
    for (std::size_t warps = (most + 31) / 32; warps > 0; --warps) {
        std::size_t const threads = std::min(most, warps * 32);
        if (threads * resident_blocks(threads, shared_bytes) > best * resident_blocks(best, shared_bytes)) {
            best = threads;
        }
    }
    *block = static_cast<int>(best);
    *min_grid = static_cast<int>(resident_blocks(best, shared_bytes) * device_limits.multiprocessors);
    return cudaSuccess;
}

}  // namespace lockstep::simt::cuda

using namespace lockstep::simt::cuda;

cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return check_device(device); }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned* flags) { return *flags = cudaDeviceScheduleAuto, cudaSuccess; }
cudaError_t cudaChooseDevice(int* device, cudaDeviceProp const*) { return *device = 0, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    *properties = properties_of_device();
    return check_device(device);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    *value = attribute_value(attribute);
    return check_device(device);
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    std::snprintf(text, static_cast<std::size_t>(length), "0000:00:00.0");
    return check_device(device);
}
cudaError_t cudaDeviceSynchronize() {
    refuse_while_capturing();
    return error_of_synchronization();
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { return *can = 0, cudaSuccess; }
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return report(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return report(cudaErrorPeerAccessNotEnabled); }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) { return *config = cudaFuncCachePreferNone, cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return *config = cudaSharedMemBankSizeFourByte, cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return cudaSuccess; }
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    *value = limit == cudaLimitStackSize ? 1024 : limit == cudaLimitPrintfFifoSize ? 1 << 20 : 8 << 20;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return *least = 0, *greatest = -5, cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
