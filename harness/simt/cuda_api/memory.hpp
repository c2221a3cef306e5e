#pragma once
// Device memory, which is host memory here: allocations with CUDA's alignment, and copies with the checks of the CUDA
// runtime. Copies are complete when they return.

#include <cstddef>
#include <memory>

#include "harness/simt/cuda_api/error_codes.hpp"
#include "harness/simt/cuda_api/streams.hpp"

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4,
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3,
};
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void* devicePointer;
    void* hostPointer;
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy,
};

inline constexpr unsigned cudaHostAllocDefault = 0;
inline constexpr unsigned cudaHostAllocPortable = 1;
inline constexpr unsigned cudaHostAllocMapped = 2;
inline constexpr unsigned cudaHostAllocWriteCombined = 4;
inline constexpr unsigned cudaHostRegisterDefault = 0;
inline constexpr unsigned cudaHostRegisterPortable = 1;
inline constexpr unsigned cudaHostRegisterMapped = 2;
inline constexpr unsigned cudaMemAttachGlobal = 1;
inline constexpr unsigned cudaMemAttachHost = 2;
inline constexpr unsigned cudaMemAttachSingle = 4;
inline constexpr int cudaCpuDeviceId = -1;
inline constexpr int cudaInvalidDeviceId = -2;

namespace lockstep::simt::cuda {

enum class Memory { device, managed, host, variable };

// 256-byte aligned; unset. A size of 0 gives null.
cudaError_t allocate(void** pointer, std::size_t bytes, Memory kind);
cudaError_t release(void* pointer, bool is_host);
// Device memory in the order of a stream, which may capture the allocation.
cudaError_t allocate_in_order(void** pointer, std::size_t bytes, cudaStream_t stream);
// The same as release, also while a capture forbids it.
cudaError_t release_now(void* pointer, bool is_host);

// Memory whose address is known before it is allocated. The storage is aligned and keeps the bytes while it exists; it
// is null if the device has no such memory.
std::shared_ptr<void> reserve_storage(void** pointer, std::size_t bytes);
// It must not be allocated already.
void allocate_storage(void* pointer, std::size_t bytes, std::shared_ptr<void> const& storage);
// Whether an allocation begins at the address.
bool is_allocation(void const* pointer);

// Sets elements of 1, 2 or 4 bytes of device memory.
cudaError_t fill(void* target, unsigned value, std::size_t element_bytes, std::size_t elements);
// Whether the bytes are in one allocation of device, managed or pinned memory, or in one variable.
bool is_device_memory(void const* pointer, std::size_t bytes);
// Expires when the allocation that contains the byte is freed, although its storage is kept for a while.
std::weak_ptr<void const> life_of_allocation(void const* pointer);
// Makes the bytes of a __device__ or __constant__ variable known as device memory.
void know_variable(void const* address, std::size_t bytes);

}  // namespace lockstep::simt::cuda

// The functions that return a pointer accept any pointer to a pointer, as CUDA's C++ API does.
template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
    return lockstep::simt::cuda::allocate(reinterpret_cast<void**>(pointer), bytes,
                                          lockstep::simt::cuda::Memory::device);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes, unsigned = cudaMemAttachGlobal) {
    return lockstep::simt::cuda::allocate(reinterpret_cast<void**>(pointer), bytes,
                                          lockstep::simt::cuda::Memory::managed);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned = cudaHostAllocDefault) {
    return lockstep::simt::cuda::allocate(reinterpret_cast<void**>(pointer), bytes, lockstep::simt::cuda::Memory::host);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned) {
    return cudaMallocHost(pointer, bytes);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
    return lockstep::simt::cuda::allocate_in_order(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned) {
    *device = static_cast<T*>(host);
    return cudaSuccess;
}
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer);
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, void const* pointer);

cudaError_t cudaMemcpy(void* target, void const* source, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* target, void const* source, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyPeer(void* target, int target_device, void const* source, int source_device, std::size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* target, int target_device, void const* source, int source_device,
                                std::size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* target, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* target, int value, std::size_t bytes, cudaStream_t stream = nullptr);

cudaError_t cudaMemPrefetchAsync(void const* pointer, std::size_t bytes, int device, cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(void const* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device);
