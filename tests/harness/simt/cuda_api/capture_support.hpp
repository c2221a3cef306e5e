#pragma once
// Streams, events and a number for tests of stream capture.

#include "tests/harness/simt/cuda_api/graph_support.hpp"

namespace lockstep::cuda_api_test {

// Streams and events that a test captures, and a number for the kernels.
struct Capturing : testing::Test {
    Capturing() {
        for (cudaStream_t* const stream : {&first, &second, &third}) {
            EXPECT_EQ(cudaStreamCreate(stream), cudaSuccess);
        }
        for (cudaEvent_t* const event : {&fork, &join}) {
            EXPECT_EQ(cudaEventCreate(event), cudaSuccess);
        }
    }
    ~Capturing() override {
        for (cudaStream_t const stream : {first, second, third}) {
            cudaStreamDestroy(stream);
        }
        for (cudaEvent_t const event : {fork, join}) {
            cudaEventDestroy(event);
        }
        cudaFree(number);
        cudaGetLastError();
    }
    void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
        ASSERT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
    }
    cudaGraph_t end(cudaStream_t stream, cudaError_t error = cudaSuccess) {
        auto graph = reinterpret_cast<cudaGraph_t>(1);
        EXPECT_EQ(cudaStreamEndCapture(stream, &graph), error);
        EXPECT_EQ(graph != nullptr, error == cudaSuccess);
        EXPECT_EQ(status_of(stream), cudaStreamCaptureStatusNone);
        return graph;
    }
    static cudaStreamCaptureStatus status_of(cudaStream_t stream) {
        cudaStreamCaptureStatus status{};
        EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
        return status;
    }
    void append(cudaStream_t stream, int digit) {
        simt::cuda::launch_kernel(1, 1, 0, stream, "append", __LINE__, append_digit, number, digit);
    }
    // Launches the graph and destroys it.
    static void run(cudaGraph_t graph) {
        launch_once(graph);
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    }
    static std::size_t nodes_of(cudaGraph_t graph) {
        std::size_t count = 0;
        EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
        return count;
    }

    cudaStream_t first = nullptr;
    cudaStream_t second = nullptr;
    cudaStream_t third = nullptr;
    cudaEvent_t fork = nullptr;
    cudaEvent_t join = nullptr;
    int* number = managed_zeros(2);
};

}  // namespace lockstep::cuda_api_test
