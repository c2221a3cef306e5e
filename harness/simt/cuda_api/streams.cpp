#include "harness/simt/cuda_api/streams.hpp"

#include <chrono>

struct CUstream_st {
    unsigned flags;
    int priority;
};

struct CUevent_st {
    unsigned flags = 0;
    bool is_recorded = false;
    std::chrono::steady_clock::time_point time;
};

using lockstep::simt::cuda::report;

namespace {

// The predefined streams are no objects.
bool is_object(cudaStream_t stream) {
    return stream != nullptr && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
}

cudaError_t needs(void const* argument) { return report(argument == nullptr ? cudaErrorInvalidValue : cudaSuccess); }
cudaError_t needs_event(cudaEvent_t event) {
    return report(event == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    if (stream == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *stream = new CUstream_st{flags, priority};
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (!is_object(stream)) {
        return report(cudaErrorInvalidResourceHandle);
    }
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaPeekAtLastError(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaPeekAtLastError(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t event, unsigned) { return needs_event(event); }
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
    function(data);
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    *priority = is_object(stream) ? stream->priority : 0;
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    *flags = is_object(stream) ? stream->flags : 0;
    return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, unsigned long, unsigned) { return needs(pointer); }

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    if (event == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *event = new CUevent_st;
    (*event)->flags = flags;
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    return needs_event(event);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
    if (event == nullptr) {
        return report(cudaErrorInvalidResourceHandle);
    }
    event->is_recorded = true;
    event->time = std::chrono::steady_clock::now();
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return needs_event(event); }
cudaError_t cudaEventQuery(cudaEvent_t event) { return needs_event(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (milliseconds == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    for (cudaEvent_t const event : {start, end}) {
        if (event == nullptr || !event->is_recorded || (event->flags & cudaEventDisableTiming) != 0) {
            return report(cudaErrorInvalidResourceHandle);
        }
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return cudaSuccess;
}
