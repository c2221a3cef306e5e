#pragma once
// Which streams capture, and what an operation does then. The rules are those of the CUDA C++ Programming Guide, CUDA
// Graphs, "Creating a Graph Using Stream Capture":
//
// - An operation on a capturing stream becomes a node. It depends on the stream's position, and becomes the position.
// - A record stores the position of its stream in the event. A wait for that event adds it to the position of the
//   waiting stream, which takes part in the capture from then on.
// - What would wait for captured work, or would order it with other work, is an error and invalidates the capture. A
//   query of a captured event, and a begin or an end on the wrong stream, are errors that leave it as it is.
// - The legacy stream waits for all streams that are not cudaStreamNonBlocking. It cannot be used while one captures.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "harness/simt/cuda_api/graph_work.hpp"
#include "harness/simt/cuda_api/stream_capture.hpp"

namespace lockstep::simt::cuda {

// A sequence of operations that become one graph.
struct Capture {
    std::uint64_t id;  // no other capture of this process has it
    cudaStreamCaptureMode mode;
    std::thread::id thread;  // that began it
    CUstream_st* origin;     // the stream on which it began
    cudaGraph_t graph;
    bool makes_graph;  // false if the program gave it
    bool is_valid = true;
    std::vector<CUstream_st*> streams;
    std::vector<cudaGraphNode_t> left;  // positions of streams that were destroyed
};

struct Captures {
    std::mutex mutex;  // guards the captures, and what streams and events know of them
    std::vector<std::unique_ptr<Capture>> active;
    std::atomic<std::size_t> count = 0;  // of the active ones: no operation needs the mutex while it is 0

    Capture* find(std::uint64_t id) const;
    // Takes all streams out of the capture and returns its graph.
    cudaGraph_t close(Capture* capture);
};
Captures& captures();

// While one exists, operations of this thread run at once: those of a graph's nodes.
class RunsAtOnce {
public:
    RunsAtOnce();
    RunsAtOnce(RunsAtOnce const&) = delete;
    RunsAtOnce& operator=(RunsAtOnce const&) = delete;
    ~RunsAtOnce();

private:
    bool before_;
};

// Whether the legacy stream would wait for the capture. Needs the mutex, as the next function does.
bool makes_legacy_wait(Capture const& capture);
void add_position(CUstream_st& stream, std::vector<cudaGraphNode_t> const& nodes);

// Adds a node to the capture of the stream, or reports why it cannot be added. Runs it if the stream does not capture.
cudaError_t enqueue(cudaStream_t stream, Work work);

// For operations that wait for a stream or that cannot be captured: an error if the stream captures, and success
// otherwise.
cudaError_t refuse_on_capturing(cudaStream_t stream);
// For operations that wait for all streams.
cudaError_t refuse_while_capturing();
// For operations that no capture sees, so that a graph could miss them, such as cudaMalloc. Which captures forbid them
// depends on modes: see cudaThreadExchangeStreamCaptureMode.
cudaError_t refuse_unsafe_call();
// For events whose latest record was captured.
cudaError_t refuse_captured(cudaEvent_t event);

cudaError_t record_event(cudaEvent_t event, cudaStream_t stream);
cudaError_t wait_for_event(cudaStream_t stream, cudaEvent_t event);
// Takes a stream that is destroyed out of its capture.
void leave_capture(CUstream_st& stream);

// The mode of this thread.
cudaStreamCaptureMode& capture_mode();

}  // namespace lockstep::simt::cuda
