#pragma once
// Streams and events. Every operation is complete when its call returns, so all streams are in order and always idle.
// On a stream that captures, operations become nodes of a graph instead (stream_capture.hpp).
// Times between events are of the host's clock: they say nothing about a GPU.

#include "harness/simt/cuda_api/error_codes.hpp"

using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
using cudaStreamCallback_t = void (*)(cudaStream_t stream, cudaError_t status, void* data);
using cudaHostFn_t = void (*)(void* data);

inline constexpr unsigned cudaStreamDefault = 0;
inline constexpr unsigned cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0;
inline constexpr unsigned cudaEventBlockingSync = 1;
inline constexpr unsigned cudaEventDisableTiming = 2;
inline constexpr unsigned cudaEventInterprocess = 4;
inline constexpr unsigned cudaEventRecordDefault = 0;
inline constexpr unsigned cudaEventRecordExternal = 1;  // a capture makes it a node
inline constexpr unsigned cudaEventWaitDefault = 0;
inline constexpr unsigned cudaEventWaitExternal = 1;
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(2))

namespace lockstep::simt::cuda {

// Whether an operation on the stream runs now. It does not if the stream captures, or if it is the legacy stream and
// would wait for a capture: then the operation goes to capture.hpp, which adds a node or refuses it.
bool runs_now(cudaStream_t stream);
// For algorithms that the host runs at once: cudaErrorNotSupported if this thread captures, which invalidates its
// captures, and success otherwise.
cudaError_t refuse_uncaptured();

}  // namespace lockstep::simt::cuda

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, unsigned long bytes = 0, unsigned flags = 4);

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned flags = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
// Milliseconds of the host's clock. cudaErrorInvalidResourceHandle if an event was not recorded or has no timing.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
