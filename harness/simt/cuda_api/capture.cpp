#include "harness/simt/cuda_api/capture.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/simt/cuda_api/graph_nodes.hpp"
#include "harness/simt/cuda_api/stream_state.hpp"

namespace lockstep::simt::cuda {
namespace {

thread_local constinit bool runs_at_once = false;
thread_local constinit cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

struct StreamOfThread {
    CUstream_st stream;

    ~StreamOfThread() { leave_capture(stream); }
};

bool nothing_is_captured() { return captures().count == 0 || runs_at_once; }

bool is_blocking(CUstream_st const* stream) { return (stream->flags & cudaStreamNonBlocking) == 0; }

// The functions below need the mutex.

cudaError_t refuse_legacy() {
    cudaError_t error = cudaSuccess;
    for (auto const& capture : captures().active) {
        if (makes_legacy_wait(*capture)) {
            capture->is_valid = false;
            error = cudaErrorStreamCaptureImplicit;
        }
    }
    return error;
}

cudaError_t invalidate(Capture& capture, cudaError_t error) {
    return std::exchange(capture.is_valid, false) ? error : cudaErrorStreamCaptureInvalidated;
}

cudaError_t wait_for_captured(CUstream_st* stream, CUevent_st const& event) {
    Capture* const capture = captures().find(event.capture);
    if (stream != nullptr && stream->capture != nullptr) {
        if (stream->capture != capture) {
            return invalidate(*stream->capture, cudaErrorStreamCaptureMerge);
        }
    } else if (capture == nullptr) {
        return cudaErrorCapturedEvent;
    } else if (stream == nullptr) {
        return cudaErrorStreamCaptureImplicit;
    }
    if (!capture->is_valid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    if (stream->capture == nullptr) {
        stream->capture = capture;
        capture->streams.push_back(stream);
    }
    add_position(*stream, event.position);
    return cudaSuccess;
}

}  // namespace

// Never destroyed: threads may end after the program's global objects.
Captures& captures() {
    static auto& made = *new Captures;
    return made;
}

bool makes_legacy_wait(Capture const& capture) {
    return std::any_of(capture.streams.begin(), capture.streams.end(), is_blocking);
}

void add_position(CUstream_st& stream, std::vector<cudaGraphNode_t> const& nodes) {
    for (cudaGraphNode_t const node : nodes) {
        if (std::find(stream.position.begin(), stream.position.end(), node) == stream.position.end()) {
            stream.position.push_back(node);
        }
    }
}

Capture* Captures::find(std::uint64_t id) const {
    auto const found = std::find_if(active.begin(), active.end(), [&](auto const& one) { return one->id == id; });
    return found == active.end() ? nullptr : found->get();
}

cudaGraph_t Captures::close(Capture* capture) {
    for (CUstream_st* const stream : capture->streams) {
        stream->capture = nullptr;
        stream->position.clear();
    }
    cudaGraph_t const graph = capture->graph;
    graph->owner = CUgraph_st::Owner::program;
    std::erase_if(active, [&](auto const& one) { return one.get() == capture; });
    count = active.size();
    return graph;
}

CUstream_st* object_of(cudaStream_t stream) {
    if (stream == cudaStreamPerThread) {
        thread_local StreamOfThread made;
        return &made.stream;
    }
    return is_legacy(stream) ? nullptr : stream;
}

RunsAtOnce::RunsAtOnce() : before_(std::exchange(runs_at_once, true)) {}
RunsAtOnce::~RunsAtOnce() { runs_at_once = before_; }

cudaStreamCaptureMode& capture_mode() { return mode_of_thread; }

bool runs_now(cudaStream_t handle) {
    if (nothing_is_captured()) {
        return true;
    }
    std::lock_guard const lock(captures().mutex);
    if (CUstream_st const* const stream = object_of(handle); stream != nullptr) {
        return stream->capture == nullptr;
    }
    auto const& active = captures().active;
    return std::none_of(active.begin(), active.end(), [](auto const& one) { return makes_legacy_wait(*one); });
}

cudaError_t enqueue(cudaStream_t handle, Work work) {
    if (cudaError_t const error = check(work); error != cudaSuccess) {
        return report(error);
    }
    if (!nothing_is_captured()) {
        std::lock_guard const lock(captures().mutex);
        CUstream_st* const stream = object_of(handle);
        if (cudaError_t const error = stream == nullptr ? refuse_legacy() : cudaSuccess; error != cudaSuccess) {
            return report(error);
        }
        if (stream != nullptr && stream->capture != nullptr) {
            if (!stream->capture->is_valid) {
                return report(cudaErrorStreamCaptureInvalidated);
            }
            std::vector<cudaGraphNode_t> const& before = stream->position;
            stream->position = {stream->capture->graph->add(std::move(work), before.data(), before.size())};
            return cudaSuccess;
        }
    }
    return report(run(work));
}

cudaError_t refuse_on_capturing(cudaStream_t handle) {
    if (nothing_is_captured()) {
        return cudaSuccess;
    }
    std::lock_guard const lock(captures().mutex);
    CUstream_st const* const stream = object_of(handle);
    if (stream == nullptr) {
        return report(refuse_legacy());
    }
    return stream->capture == nullptr ? cudaSuccess
                                      : report(invalidate(*stream->capture, cudaErrorStreamCaptureUnsupported));
}

cudaError_t refuse_while_capturing() {
    if (nothing_is_captured()) {
        return cudaSuccess;
    }
    std::lock_guard const lock(captures().mutex);
    for (auto const& capture : captures().active) {
        capture->is_valid = false;
    }
    return captures().active.empty() ? cudaSuccess : report(cudaErrorStreamCaptureUnsupported);
}

cudaError_t refuse_unsafe_call() {
    if (nothing_is_captured() || mode_of_thread == cudaStreamCaptureModeRelaxed) {
        return cudaSuccess;
    }
    std::lock_guard const lock(captures().mutex);
    cudaError_t error = cudaSuccess;
    for (auto const& capture : captures().active) {
        bool const is_own = capture->thread == std::this_thread::get_id();
        bool const forbids =
            is_own ? capture->mode != cudaStreamCaptureModeRelaxed
                   : capture->mode == cudaStreamCaptureModeGlobal && mode_of_thread == cudaStreamCaptureModeGlobal;
        if (forbids) {
            capture->is_valid = false;
            error = cudaErrorStreamCaptureUnsupported;
        }
    }
    return report(error);
}

cudaError_t refuse_uncaptured() {
    if (nothing_is_captured()) {
        return cudaSuccess;
    }
    std::lock_guard const lock(captures().mutex);
    cudaError_t error = cudaSuccess;
    for (auto const& capture : captures().active) {
        if (capture->thread == std::this_thread::get_id()) {
            capture->is_valid = false;
            error = cudaErrorNotSupported;
        }
    }
    return report(error);
}

cudaError_t refuse_captured(cudaEvent_t event) {
    std::lock_guard const lock(captures().mutex);
    return report(event->capture == 0 ? cudaSuccess : cudaErrorCapturedEvent);
}

cudaError_t record_event(cudaEvent_t event, cudaStream_t handle) {
    std::lock_guard const lock(captures().mutex);
    if (!runs_at_once) {
        CUstream_st const* const stream = object_of(handle);
        if (cudaError_t const error = stream == nullptr ? refuse_legacy() : cudaSuccess; error != cudaSuccess) {
            return report(error);
        }
        if (stream != nullptr && stream->capture != nullptr) {
            if (!stream->capture->is_valid) {
                return report(cudaErrorStreamCaptureInvalidated);
            }
            event->capture = stream->capture->id;
            event->position = stream->position;
            return cudaSuccess;
        }
    }
    event->capture = 0;
    event->position.clear();
    event->is_recorded = true;
    event->time = std::chrono::steady_clock::now();
    return cudaSuccess;
}

cudaError_t wait_for_event(cudaStream_t handle, cudaEvent_t event) {
    std::lock_guard const lock(captures().mutex);
    CUstream_st* const stream = object_of(handle);
    if (stream != nullptr && stream->capture != nullptr && !stream->capture->is_valid) {
        return report(cudaErrorStreamCaptureInvalidated);
    }
    if (event->capture != 0) {
        return report(wait_for_captured(stream, *event));
    }
    if (stream == nullptr) {
        return report(refuse_legacy());
    }
    return stream->capture == nullptr ? cudaSuccess
                                      : report(invalidate(*stream->capture, cudaErrorStreamCaptureIsolation));
}

void leave_capture(CUstream_st& stream) {
    std::unique_ptr<CUgraph_st> unfinished;
    std::lock_guard const lock(captures().mutex);
    Capture* const capture = std::exchange(stream.capture, nullptr);
    if (capture == nullptr) {
        return;
    }
    if (capture->origin == &stream) {
        bool const makes_graph = capture->makes_graph;
        cudaGraph_t const graph = captures().close(capture);
        unfinished.reset(makes_graph ? graph : nullptr);
    } else {
        capture->left.insert(capture->left.end(), stream.position.begin(), stream.position.end());
        std::erase(capture->streams, &stream);
    }
}

}  // namespace lockstep::simt::cuda
