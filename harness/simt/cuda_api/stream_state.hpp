#pragma once
// Streams and events as the runtime stores them. Members that captures set are guarded by the mutex of capture.hpp.

#include <chrono>
#include <cstdint>
#include <vector>

#include "harness/simt/cuda_api/graph_types.hpp"

namespace lockstep::simt::cuda {

struct Capture;

}  // namespace lockstep::simt::cuda

struct CUstream_st {
    unsigned flags = 0;
    int priority = 0;
    lockstep::simt::cuda::Capture* capture = nullptr;  // that the stream takes part in
    std::vector<cudaGraphNode_t> position;             // what the next captured operation depends on
};

struct CUevent_st {
    unsigned flags = 0;
    bool is_recorded = false;
    std::chrono::steady_clock::time_point time;
    std::uint64_t capture = 0;              // the id of the capture in which it was recorded last
    std::vector<cudaGraphNode_t> position;  // of the stream at that record
};

namespace lockstep::simt::cuda {

// The legacy default stream is no object, so it gives null. Each host thread has a default stream of its own.
CUstream_st* object_of(cudaStream_t stream);

inline bool is_legacy(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

}  // namespace lockstep::simt::cuda
