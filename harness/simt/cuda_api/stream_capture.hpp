#pragma once
// Stream capture: between its begin and its end, the operations of a stream are not run but become nodes of a graph. A
// stream that waits for an event of a capturing stream joins the capture. What CUDA forbids meanwhile is an error here
// too, and most of it invalidates the capture. capture.hpp has the rules.

#include <type_traits>

#include "harness/simt/cuda_api/graph_types.hpp"

enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2,
};
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2,
};
enum cudaStreamUpdateCaptureDependenciesFlags {
    cudaStreamAddCaptureDependencies = 0,
    cudaStreamSetCaptureDependencies = 1,
};

// cudaErrorStreamCaptureUnsupported for the legacy stream; cudaErrorIllegalState for a stream that captures already.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
// Adds the nodes to a graph. The first node of the stream depends on `dependencies`.
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                          cudaGraphEdgeData const* data, std::size_t count, cudaStreamCaptureMode mode);
// A null graph and an error if the capture was invalidated or has a fork that did not join the first stream.
// cudaErrorStreamCaptureUnmatched if it began on another stream, cudaErrorStreamCaptureWrongThread if on another thread
// and not in relaxed mode: in both cases it goes on. A graph that the program gave keeps what was captured.
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr,
                                     cudaGraphNode_t const** dependencies = nullptr, std::size_t* count = nullptr);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, cudaGraphNode_t const** dependencies,
                                     cudaGraphEdgeData const** data, std::size_t* count);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr,
                                        cudaGraphNode_t const** dependencies = nullptr, std::size_t* count = nullptr);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies, std::size_t count,
                                                unsigned flags = 0);
// The form of CUDA 13, with the data of the edges. A literal 0 is a count and not a pointer to data.
template <class Data,
          class = std::enable_if_t<std::is_convertible_v<Data, cudaGraphEdgeData const*> && !std::is_integral_v<Data>>>
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies, Data,
                                                std::size_t count, unsigned flags = 0) {
    return cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);
