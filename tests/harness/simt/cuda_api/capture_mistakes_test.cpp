// Stream capture: what is forbidden meanwhile, and whether it invalidates the capture.

#include <functional>
#include <thread>

#include "harness/simt/cuda_api/cub.hpp"
#include "tests/harness/simt/cuda_api/capture_support.hpp"

namespace lockstep::cuda_api_test {
namespace {

TEST_F(Capturing, AForkMustJoin) {
    begin(first);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork);
    append(second, 1);
    end(first, cudaErrorStreamCaptureUnjoined);
    EXPECT_EQ(status_of(second), cudaStreamCaptureStatusNone);
    // Work behind the record that joins.
    begin(first);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork);
    append(second, 1);
    cudaEventRecord(join, second);
    append(second, 2);
    cudaStreamWaitEvent(first, join);
    end(first, cudaErrorStreamCaptureUnjoined);
    // A stream that ends does not take its work away.
    cudaStream_t passing = nullptr;
    cudaStreamCreate(&passing);
    begin(first);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(passing, fork);
    append(passing, 3);
    EXPECT_EQ(cudaStreamDestroy(passing), cudaSuccess);
    end(first, cudaErrorStreamCaptureUnjoined);
    // A fork without work needs no join.
    begin(first);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork);
    run(end(first));
    EXPECT_EQ(*number, 0);
}

TEST_F(Capturing, ForbiddenOperationsInvalidate) {
    struct Forbidden {
        char const* name;
        cudaError_t error;
        std::function<cudaError_t()> call;
    };
    int* memory = managed_zeros();
    int* made = nullptr;
    EXPECT_EQ(cudaEventRecord(join, third), cudaSuccess);
    Forbidden const all[] = {
        {"StreamSynchronize", cudaErrorStreamCaptureUnsupported, [&] { return cudaStreamSynchronize(first); }},
        {"StreamQuery", cudaErrorStreamCaptureUnsupported, [&] { return cudaStreamQuery(first); }},
        {"DeviceSynchronize", cudaErrorStreamCaptureUnsupported, [&] { return cudaDeviceSynchronize(); }},
        {"AddCallback", cudaErrorStreamCaptureUnsupported,
         [&] { return cudaStreamAddCallback(first, nullptr, nullptr, 0); }},
        {"AttachMemAsync", cudaErrorStreamCaptureUnsupported, [&] { return cudaStreamAttachMemAsync(first, memory); }},
        {"MemPrefetchAsync", cudaErrorStreamCaptureUnsupported,
         [&] { return cudaMemPrefetchAsync(memory, 4, 0, first); }},
        {"Malloc", cudaErrorStreamCaptureUnsupported, [&] { return cudaMalloc(&made, 4); }},
        {"Free", cudaErrorStreamCaptureUnsupported, [&] { return cudaFree(memory); }},
        {"EventQuery", cudaErrorStreamCaptureUnsupported, [&] { return cudaEventQuery(join); }},
        {"an event outside", cudaErrorStreamCaptureIsolation, [&] { return cudaStreamWaitEvent(first, join); }},
        {"Memcpy", cudaErrorStreamCaptureImplicit, [&] { return cudaMemcpy(memory, memory, 4, cudaMemcpyDefault); }},
        {"Memset2D", cudaErrorStreamCaptureImplicit, [&] { return cudaMemset2D(memory, 4, 0, 1, 1); }},
        {"a launch on the legacy stream", cudaErrorStreamCaptureImplicit,
         [&] {
             append(nullptr, 1);
             return cudaGetLastError();
         }},
        {"a record on the legacy stream", cudaErrorStreamCaptureImplicit,
         [&] { return cudaEventRecord(join, cudaStreamLegacy); }},
        {"a wait of the legacy stream", cudaErrorStreamCaptureImplicit, [&] { return cudaStreamSynchronize(nullptr); }},
        {"CUB", cudaErrorNotSupported,
         [&] {
             std::size_t bytes = 1;
             return cub::DeviceReduce::Sum(memory, bytes, memory, memory, 1, first);
         }},
    };
    for (Forbidden const& forbidden : all) {
        SCOPED_TRACE(forbidden.name);
        begin(first);
        append(first, 1);
        EXPECT_EQ(forbidden.call(), forbidden.error);
        EXPECT_EQ(status_of(first), cudaStreamCaptureStatusInvalidated);
        append(first, 2);
        EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
        end(first, cudaErrorStreamCaptureInvalidated);
        EXPECT_EQ(cudaStreamSynchronize(first), cudaErrorStreamCaptureInvalidated);  // the last error
        cudaGetLastError();
        EXPECT_EQ(cudaStreamSynchronize(first), cudaSuccess);
    }
    EXPECT_EQ(*number, 0);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(Capturing, OtherMistakesDoNotInvalidate) {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(first, &graph), cudaErrorIllegalState);
    EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(cudaStreamBeginCapture(first, static_cast<cudaStreamCaptureMode>(3)), cudaErrorInvalidValue);
    begin(first);
    append(first, 1);
    EXPECT_EQ(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork);
    EXPECT_EQ(cudaStreamEndCapture(second, &graph), cudaErrorStreamCaptureUnmatched);
    EXPECT_EQ(cudaEventQuery(fork), cudaErrorCapturedEvent);
    EXPECT_EQ(cudaStreamWaitEvent(nullptr, fork), cudaErrorStreamCaptureImplicit);
    cudaStreamCaptureStatus status{};
    EXPECT_EQ(cudaStreamIsCapturing(nullptr, &status), cudaErrorStreamCaptureImplicit);
    simt::cuda::launch_kernel(1, 1025, 0, first, "too many", __LINE__, append_digit, number, 9);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    EXPECT_EQ(cudaMemcpyAsync(number, number, 4, static_cast<cudaMemcpyKind>(7), first),
              cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaFreeAsync(number, first), cudaErrorInvalidValue);  // no memory of a graph
    EXPECT_EQ(cudaStreamGetCaptureInfo(first, &status, nullptr, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
    cudaError_t from_other = cudaSuccess;
    std::thread([&] { from_other = cudaStreamEndCapture(first, &graph); }).join();
    EXPECT_EQ(from_other, cudaErrorStreamCaptureWrongThread);
    append(third, 5);  // a stream that does not capture
    EXPECT_EQ(*number, 5);
    run(end(first));
    EXPECT_EQ(*number, 51);
}

TEST_F(Capturing, TwoCapturesDoNotMerge) {
    begin(first);
    begin(second);
    append(first, 1);
    append(second, 2);
    cudaEventRecord(fork, first);
    EXPECT_EQ(cudaStreamWaitEvent(second, fork), cudaErrorStreamCaptureMerge);
    EXPECT_EQ(cudaStreamWaitEvent(second, fork), cudaErrorStreamCaptureInvalidated);
    end(second, cudaErrorStreamCaptureInvalidated);
    run(end(first));
    EXPECT_EQ(*number, 1);
}

TEST_F(Capturing, ModesSayWhoMayAllocate) {
    int* made = nullptr;
    auto const allocate = [&] {
        cudaError_t const error = cudaMalloc(&made, 4);
        cudaFree(made);
        return error;
    };
    auto const elsewhere = [&](auto call) {
        cudaError_t error = cudaSuccess;
        std::thread([&] { error = call(); }).join();
        return error;
    };
    begin(first, cudaStreamCaptureModeRelaxed);
    EXPECT_EQ(allocate(), cudaSuccess);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(elsewhere([&] { return cudaStreamEndCapture(first, &graph); }), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    begin(first, cudaStreamCaptureModeThreadLocal);
    EXPECT_EQ(elsewhere(allocate), cudaSuccess);
    EXPECT_EQ(allocate(), cudaErrorStreamCaptureUnsupported);
    end(first, cudaErrorStreamCaptureInvalidated);
    begin(first, cudaStreamCaptureModeGlobal);
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
    EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
    EXPECT_EQ(allocate(), cudaSuccess);
    EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
    EXPECT_EQ(elsewhere(allocate), cudaErrorStreamCaptureUnsupported);
    end(first, cudaErrorStreamCaptureInvalidated);
}

TEST_F(Capturing, OnlyBlockingStreamsHoldTheLegacyStream) {
    cudaStream_t apart = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking), cudaSuccess);
    begin(apart);
    append(apart, 1);
    append(nullptr, 2);
    EXPECT_EQ(cudaMemset(number, 0, 0), cudaSuccess);
    EXPECT_EQ(*number, 2);
    run(end(apart));
    EXPECT_EQ(*number, 21);
    begin(cudaStreamPerThread);
    append(cudaStreamPerThread, 3);
    run(end(cudaStreamPerThread));
    EXPECT_EQ(*number, 213);
    // A stream that is destroyed ends its capture.
    begin(apart);
    append(apart, 4);
    EXPECT_EQ(cudaStreamDestroy(apart), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(*number, 213);
}

}  // namespace
}  // namespace lockstep::cuda_api_test
