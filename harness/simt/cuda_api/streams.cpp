#include "harness/simt/cuda_api/streams.hpp"

#include <chrono>
#include <mutex>
#include <set>

#include "harness/simt/cuda_api/capture.hpp"
#include "harness/simt/cuda_api/stream_state.hpp"

using namespace lockstep::simt::cuda;

namespace {

// The predefined streams are not the program's.
bool is_object(cudaStream_t stream) { return !is_legacy(stream) && stream != cudaStreamPerThread; }

// The streams and events that the program has made and not destroyed. Its handle of another one is not looked at.
class Handles {
public:
    void add(void const* handle) {
        std::lock_guard const lock(mutex_);
        live_.insert(handle);
    }
    // Returns false if it is not among them.
    bool remove(void const* handle) {
        std::lock_guard const lock(mutex_);
        return live_.erase(handle) != 0;
    }

private:
    std::mutex mutex_;
    std::set<void const*> live_;
};
Handles& handles() {
    static Handles* const all = new Handles;  // programs destroy streams after the statics of this one
    return *all;
}

cudaError_t needs(void const* argument) { return report(argument == nullptr ? cudaErrorInvalidValue : cudaSuccess); }
cudaError_t needs_event(cudaEvent_t event) {
    return report(event == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

// An event that is outside of the capture.
cudaError_t enqueue_external(cudaStream_t stream, Work const& work) {
    return runs_now(stream) ? report(cudaErrorInvalidValue) : enqueue(stream, work);
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
    *stream = new CUstream_st{flags, priority, nullptr, {}};
    handles().add(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (!is_object(stream) || !handles().remove(stream)) {
        return report(cudaErrorInvalidResourceHandle);
    }
    leave_capture(*stream);
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    refuse_on_capturing(stream);
    return error_of_synchronization();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    if (event == nullptr) {
        return report(cudaErrorInvalidResourceHandle);
    }
    return flags == cudaEventWaitExternal ? enqueue_external(stream, WaitWork{event}) : wait_for_event(stream, event);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
    if (cudaError_t const error = refuse_on_capturing(stream); error != cudaSuccess) {
        return error;
    }
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return enqueue(stream, HostWork{{function, data}});
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    *priority = is_object(stream) ? stream->priority : 0;
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    *flags = is_object(stream) ? stream->flags : 0;
    return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, unsigned long, unsigned) {
    cudaError_t const error = refuse_on_capturing(stream);
    return error == cudaSuccess ? needs(pointer) : error;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    if (event == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *event = new CUevent_st;
    (*event)->flags = flags;
    handles().add(*event);
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (!handles().remove(event)) {
        return report(cudaErrorInvalidResourceHandle);
    }
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return event == nullptr ? report(cudaErrorInvalidResourceHandle) : record_event(event, stream);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    bool const is_external = event != nullptr && flags == cudaEventRecordExternal;
    return is_external ? enqueue_external(stream, RecordWork{event}) : cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    cudaError_t const error = needs_event(event);
    return error == cudaSuccess ? refuse_captured(event) : error;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    cudaError_t const error = cudaEventSynchronize(event);
    return error == cudaSuccess ? refuse_unsafe_call() : error;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (milliseconds == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    for (cudaEvent_t const event : {start, end}) {
        if (event == nullptr || !event->is_recorded || (event->flags & cudaEventDisableTiming) != 0) {
            return report(cudaErrorInvalidResourceHandle);
        }
        if (cudaError_t const error = refuse_captured(event); error != cudaSuccess) {
            return error;
        }
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return cudaSuccess;
}
