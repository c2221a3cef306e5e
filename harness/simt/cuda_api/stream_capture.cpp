#include "harness/simt/cuda_api/stream_capture.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/simt/cuda_api/capture.hpp"
#include "harness/simt/cuda_api/graph_nodes.hpp"
#include "harness/simt/cuda_api/stream_state.hpp"

using namespace lockstep::simt::cuda;

namespace {

cudaError_t begin(cudaStream_t handle, cudaGraph_t given, cudaGraphNode_t const* dependencies, std::size_t count,
                  cudaStreamCaptureMode mode) {
    if (is_legacy(handle)) {
        return cudaErrorStreamCaptureUnsupported;
    }
    if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
        return cudaErrorInvalidValue;
    }
    std::lock_guard const lock(captures().mutex);
    CUstream_st* const stream = object_of(handle);
    if (stream->capture != nullptr) {
        return cudaErrorIllegalState;
    }
    static std::uint64_t last_id = 0;
    cudaGraph_t const graph = given == nullptr ? new CUgraph_st : given;
    graph->owner = CUgraph_st::Owner::capture;
    captures().active.emplace_back(
        new Capture{++last_id, mode, std::this_thread::get_id(), stream, graph, given == nullptr, true, {stream}, {}});
    captures().count = captures().active.size();
    stream->capture = captures().active.back().get();
    stream->position.assign(dependencies, dependencies + count);
    return cudaSuccess;
}

void add_with_predecessors(cudaGraphNode_t node, std::set<cudaGraphNode_t>& found) {
    std::vector<cudaGraphNode_t> open = {node};
    while (!open.empty()) {
        cudaGraphNode_t const next = open.back();
        open.pop_back();
        if (found.insert(next).second) {
            open.insert(open.end(), next->dependencies.begin(), next->dependencies.end());
        }
    }
}

// Whether the stream that began the capture waits for all that other streams have captured.
bool is_joined(Capture const& capture) {
    std::set<cudaGraphNode_t> joined;
    for (cudaGraphNode_t const node : capture.origin->position) {
        add_with_predecessors(node, joined);
    }
    auto const is_known = [&](cudaGraphNode_t node) { return joined.contains(node); };
    return std::all_of(capture.left.begin(), capture.left.end(), is_known) &&
           std::all_of(capture.streams.begin(), capture.streams.end(), [&](CUstream_st const* stream) {
               return std::all_of(stream->position.begin(), stream->position.end(), is_known);
           });
}

cudaError_t end(cudaStream_t handle, cudaGraph_t* graph) {
    std::unique_ptr<CUgraph_st> incomplete;
    std::lock_guard const lock(captures().mutex);
    CUstream_st const* const stream = object_of(handle);
    if (stream == nullptr || stream->capture == nullptr) {
        return cudaErrorIllegalState;
    }
    Capture* const capture = stream->capture;
    if (capture->origin != stream) {
        return cudaErrorStreamCaptureUnmatched;
    }
    if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id()) {
        return cudaErrorStreamCaptureWrongThread;
    }
    cudaError_t const error = !capture->is_valid     ? cudaErrorStreamCaptureInvalidated
                              : !is_joined(*capture) ? cudaErrorStreamCaptureUnjoined
                                                     : cudaSuccess;
    bool const makes_graph = capture->makes_graph;
    cudaGraph_t const made = captures().close(capture);
    if (error == cudaSuccess) {
        *graph = made;
    } else if (makes_graph) {
        incomplete.reset(made);
    }
    return error;
}

// The stream, or an error if the legacy stream would wait for a capture. A query does not invalidate it.
cudaError_t find_stream(cudaStream_t handle, CUstream_st const*& stream) {
    static CUstream_st const not_capturing;
    stream = object_of(handle);
    if (stream != nullptr) {
        return cudaSuccess;
    }
    stream = &not_capturing;
    auto const& active = captures().active;
    bool const waits =
        std::any_of(active.begin(), active.end(), [](auto const& one) { return makes_legacy_wait(*one); });
    return waits ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

cudaStreamCaptureStatus status_of(CUstream_st const& stream) {
    return stream.capture == nullptr  ? cudaStreamCaptureStatusNone
           : stream.capture->is_valid ? cudaStreamCaptureStatusActive
                                      : cudaStreamCaptureStatusInvalidated;
}

template <class T>
void set(T* target, T value) {
    if (target != nullptr) {
        *target = value;
    }
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return report(begin(stream, nullptr, nullptr, 0, mode));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                          cudaGraphEdgeData const*, std::size_t count, cudaStreamCaptureMode mode) {
    if (graph == nullptr || graph->owner != CUgraph_st::Owner::program || !graph->can_precede(dependencies, count)) {
        return report(cudaErrorInvalidValue);
    }
    return report(begin(stream, graph, dependencies, count, mode));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    if (graph == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *graph = nullptr;
    return report(end(stream, graph));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return cudaStreamGetCaptureInfo(stream, status);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, cudaGraphNode_t const** dependencies, std::size_t* count) {
    if (status == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    std::lock_guard const lock(captures().mutex);
    CUstream_st const* stream = nullptr;
    if (cudaError_t const error = find_stream(handle, stream); error != cudaSuccess) {
        return report(error);
    }
    *status = status_of(*stream);
    if (*status == cudaStreamCaptureStatusActive) {
        set(id, static_cast<unsigned long long>(stream->capture->id));
        set(graph, stream->capture->graph);
        set(dependencies, stream->position.data());
        set(count, stream->position.size());
    }
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, cudaGraphNode_t const** dependencies,
                                     cudaGraphEdgeData const** data, std::size_t* count) {
    set<cudaGraphEdgeData const*>(data, nullptr);
    return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, count);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, cudaGraphNode_t const** dependencies, std::size_t* count) {
    return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, count);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* dependencies, std::size_t count,
                                                unsigned flags) {
    std::lock_guard const lock(captures().mutex);
    CUstream_st* const stream = object_of(handle);
    if (stream == nullptr || stream->capture == nullptr) {
        return report(cudaErrorIllegalState);
    }
    if (flags > cudaStreamSetCaptureDependencies || !stream->capture->graph->can_precede(dependencies, count)) {
        return report(cudaErrorInvalidValue);
    }
    std::vector<cudaGraphNode_t> const added(dependencies, dependencies + count);
    if (flags == cudaStreamSetCaptureDependencies) {
        stream->position.clear();
    }
    add_position(*stream, added);
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed) {
        return report(cudaErrorInvalidValue);
    }
    std::swap(*mode, capture_mode());
    return cudaSuccess;
}
