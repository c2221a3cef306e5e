#pragma once
// cudaError_t: X(name, number, text) per error. The numbers and texts are those of the CUDA runtime.

#define LOCKSTEP_CUDA_ERRORS(X)                                                                                 \
    X(cudaSuccess, 0, "no error")                                                                               \
    X(cudaErrorInvalidValue, 1, "invalid argument")                                                             \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                                            \
    X(cudaErrorInitializationError, 3, "initialization error")                                                  \
    X(cudaErrorCudartUnloading, 4, "driver shutting down")                                                      \
    X(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")                    \
    X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                       \
    X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                                 \
    X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                      \
    X(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                                  \
    X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                              \
    X(cudaErrorInvalidTexture, 18, "invalid texture reference")                                                 \
    X(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                                      \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                                 \
    X(cudaErrorInvalidFilterSetting, 26, "invalid texture filter setting")                                      \
    X(cudaErrorInvalidNormSetting, 27, "invalid texture normalization setting")                                 \
    X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")          \
    X(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")                          \
    X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                            \
    X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                             \
    X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                                    \
    X(cudaErrorDeviceUninitialized, 201, "invalid device context")                                              \
    X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")         \
    X(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                                    \
    X(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")            \
    X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                           \
    X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")                     \
    X(cudaErrorNotReady, 600, "device not ready")                                                               \
    X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                                 \
    X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                            \
    X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                                   \
    X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                                 \
    X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                                   \
    X(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")                    \
    X(cudaErrorAssert, 710, "device-side assert triggered")                                                     \
    X(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")                                           \
    X(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped") \
    X(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")       \
    X(cudaErrorHardwareStackError, 714, "hardware stack error")                                                 \
    X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                               \
    X(cudaErrorMisalignedAddress, 716, "misaligned address")                                                    \
    X(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")              \
    X(cudaErrorInvalidPc, 718, "invalid program counter")                                                       \
    X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                                \
    X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                         \
    X(cudaErrorNotPermitted, 800, "operation not permitted")                                                    \
    X(cudaErrorNotSupported, 801, "operation not supported")                                                    \
    X(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")               \
    X(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture")        \
    X(cudaErrorStreamCaptureMerge, 902, "operation would result in a merge of separate capture sequences")      \
    X(cudaErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began")             \
    X(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                                \
    X(cudaErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream")          \
    X(cudaErrorStreamCaptureImplicit, 906,                                                                      \
      "operation would make the legacy stream depend on a capturing blocking stream")                           \
    X(cudaErrorCapturedEvent, 907, "operation not permitted on an event last recorded in a capturing stream")   \
    X(cudaErrorStreamCaptureWrongThread, 908,                                                                   \
      "attempt to terminate a thread-local capture sequence from another thread")                               \
    X(cudaErrorGraphExecUpdateFailure, 910,                                                                     \
      "the graph update was not performed because it included changes which violated constraints specific to "  \
      "instantiated graph update")                                                                              \
    X(cudaErrorUnknown, 999, "unknown error")

#define LOCKSTEP_ENUMERATOR(name, number, text) name = number,
enum cudaError { LOCKSTEP_CUDA_ERRORS(LOCKSTEP_ENUMERATOR) };
#undef LOCKSTEP_ENUMERATOR
using cudaError_t = cudaError;

char const* cudaGetErrorName(cudaError_t error);
char const* cudaGetErrorString(cudaError_t error);

// The error of this host thread's last failed call. The first function also forgets it.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

namespace lockstep::simt::cuda {

// Remembers the error for cudaGetLastError, unless it is cudaSuccess, and returns it.
cudaError_t report(cudaError_t error);
// The same with a reason in words, which the message of a failure that no one notices has (discarded.hpp).
cudaError_t report(cudaError_t error, char const* reason);
// The last error, for a synchronization to return.
cudaError_t error_of_synchronization();
// The reason of this thread's last error; empty if it has none.
char const* last_reason();

}  // namespace lockstep::simt::cuda
