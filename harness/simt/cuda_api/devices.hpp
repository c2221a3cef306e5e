#pragma once
// The emulated device: what it reports about itself, limits of launches, and occupancy. There is one device, of compute
// capability 8.0, with few multiprocessors, so that programs that fill a device start few blocks.

#include <cstddef>
#include <type_traits>

#include "harness/simt/cuda_api/device_attributes.hpp"
#include "harness/simt/cuda_api/error_codes.hpp"

namespace lockstep::simt::cuda {

// Compute capability 8.0 (CUDA C++ Programming Guide, table of technical specifications).
struct DeviceLimits {
    std::size_t threads_per_block = 1024;
    std::size_t threads_per_multiprocessor = 2048;
    std::size_t blocks_per_multiprocessor = 32;
    std::size_t shared_bytes_per_block = 48 * 1024;
    std::size_t shared_bytes_per_block_opt_in = 163 * 1024;
    std::size_t shared_bytes_per_multiprocessor = 164 * 1024;
    std::size_t multiprocessors = 4;
};
inline constexpr DeviceLimits device_limits;
inline constexpr std::size_t device_memory_bytes = std::size_t{16} << 30;

// The blocks of `threads` threads that fit one multiprocessor. Registers do not count: the emulator has none.
std::size_t resident_blocks(std::size_t threads, std::size_t shared_bytes);

}  // namespace lockstep::simt::cuda

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3,
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2,
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100,
};
enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
};
struct cudaFuncAttributes {
    std::size_t sharedSizeBytes;
    std::size_t constSizeBytes;
    std::size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
};

inline constexpr unsigned cudaDeviceScheduleAuto = 0;
inline constexpr unsigned cudaDeviceScheduleSpin = 1;
inline constexpr unsigned cudaDeviceScheduleYield = 2;
inline constexpr unsigned cudaDeviceScheduleBlockingSync = 4;
inline constexpr unsigned cudaDeviceBlockingSync = 4;
inline constexpr unsigned cudaDeviceMapHost = 8;
inline constexpr unsigned cudaDeviceLmemResizeToMax = 16;
inline constexpr unsigned cudaOccupancyDefault = 0;

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned* flags);
cudaError_t cudaChooseDevice(int* device, cudaDeviceProp const* properties);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

namespace lockstep::simt::cuda {

// A kernel is given by its address, which is null if it is not known.
cudaError_t set_kernel_attribute(void const* kernel, cudaFuncAttribute attribute, int value);
cudaError_t kernel_attributes(cudaFuncAttributes* attributes, void const* kernel);
cudaError_t occupancy(int* blocks, int threads, std::size_t shared_bytes);
cudaError_t best_block(int* min_grid, int* block, void const* kernel, std::size_t shared_bytes, int limit);

template <class K>
void const* address_of_kernel(K kernel) {
    if constexpr (std::is_pointer_v<K>) {
        return reinterpret_cast<void const*>(kernel);
    } else {
        return nullptr;
    }
}

}  // namespace lockstep::simt::cuda

// A kernel is given by its name or by its address.
template <class K>
cudaError_t cudaFuncSetAttribute(K kernel, cudaFuncAttribute attribute, int value) {
    return lockstep::simt::cuda::set_kernel_attribute(lockstep::simt::cuda::address_of_kernel(kernel), attribute,
                                                      value);
}
template <class K>
cudaError_t cudaFuncSetCacheConfig(K, cudaFuncCache) {
    return cudaSuccess;
}
template <class K>
cudaError_t cudaFuncSetSharedMemConfig(K, cudaSharedMemConfig) {
    return cudaSuccess;
}
template <class K>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, K kernel) {
    return lockstep::simt::cuda::kernel_attributes(attributes, lockstep::simt::cuda::address_of_kernel(kernel));
}
template <class K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, K, int threads, std::size_t shared_bytes) {
    return lockstep::simt::cuda::occupancy(blocks, threads, shared_bytes);
}
template <class K>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, K, int threads,
                                                                   std::size_t shared_bytes, unsigned) {
    return lockstep::simt::cuda::occupancy(blocks, threads, shared_bytes);
}
template <class K>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* block, K kernel, std::size_t shared_bytes = 0,
                                               int limit = 0) {
    return lockstep::simt::cuda::best_block(min_grid, block, lockstep::simt::cuda::address_of_kernel(kernel),
                                            shared_bytes, limit);
}
template <class Bytes, class K>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid, int* block, K kernel, Bytes bytes,
                                                           int limit = 0) {
    return lockstep::simt::cuda::best_block(min_grid, block, lockstep::simt::cuda::address_of_kernel(kernel),
                                            bytes(1024), limit);
}
