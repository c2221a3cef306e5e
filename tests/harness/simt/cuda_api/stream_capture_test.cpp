// Stream capture: what becomes a node, and on what it depends.

#include <string>
#include <thread>

#include "tests/harness/simt/cuda_api/capture_support.hpp"

namespace lockstep::cuda_api_test {
namespace {

TEST_F(Capturing, OperationsBecomeNodesWithTheirArguments) {
    char* rows = nullptr;
    ASSERT_EQ(cudaMallocManaged(&rows, 8), cudaSuccess);
    int from = 7;
    char to[8] = {};
    begin(first);
    cudaMemcpyAsync(number, &from, sizeof from, cudaMemcpyHostToDevice, first);
    Digits digits{1, 2};
    simt::cuda::launch_kernel(1, 1, 0, first, "appends", __LINE__, append_digits, number, digits, char{3});
    digits.first = 9;
    int* pointer = number;
    char last = 6;
    void* arguments[] = {&pointer, &digits, &last};
    EXPECT_EQ(cudaLaunchKernel(append_digits, 1, 1, arguments, 0, first), cudaSuccess);
    pointer = nullptr;
    last = 0;
    cudaMemsetAsync(rows, '-', 8, first);
    cudaMemsetAsync(nullptr, 0, 0, first);
    cudaMemcpyAsync(nullptr, nullptr, 0, cudaMemcpyDefault, first);
    cudaMemset2DAsync(rows, 4, '+', 1, 2, first);
    cudaMemcpy2DAsync(to, 3, rows, 4, 3, 2, cudaMemcpyDeviceToHost, first);
    cudaLaunchHostFunc(
        first, [](void* data) { *static_cast<char*>(data) = '*'; }, to + 7);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_TRUE(*number == 0 && to[0] == 0 && to[7] == 0);
    cudaGraph_t const graph = end(first);
    EXPECT_EQ(nodes_of(graph), 9u);
    EXPECT_EQ(*number, 0);
    from = 4;  // memory is read when the graph runs
    run(graph);
    EXPECT_EQ(*number, 4123926);
    EXPECT_EQ(std::string(to, 6), "+--+--");
    EXPECT_EQ(to[7], '*');
    append(first, 5);  // the stream runs its operations again
    EXPECT_EQ(*number % 10, 5);
    cudaFree(rows);
}

TEST_F(Capturing, ParametersOfALaunchByAddressAreKnown) {
    begin(first);
    append(first, 1);
    int* pointer = number;
    int digit = 2;
    void* arguments[] = {&pointer, &digit};
    EXPECT_EQ(cudaLaunchKernel(append_digit, 1, 1, arguments, 0, first), cudaSuccess);
    cudaGraph_t const graph = end(first);
    cudaGraphNode_t nodes[2] = {};
    std::size_t count = 2;
    ASSERT_EQ(cudaGraphGetNodes(graph, nodes, &count), cudaSuccess);
    cudaKernelNodeParams parameters{};
    EXPECT_EQ(cudaGraphKernelNodeGetParams(nodes[0], &parameters), cudaErrorNotSupported);
    ASSERT_EQ(cudaGraphKernelNodeGetParams(nodes[1], &parameters), cudaSuccess);
    EXPECT_EQ(*static_cast<int*>(parameters.kernelParams[1]), 2);
    digit = 3;
    parameters.kernelParams = arguments;
    EXPECT_EQ(cudaGraphKernelNodeSetParams(nodes[0], &parameters), cudaSuccess);
    run(graph);
    EXPECT_EQ(*number, 32);
    EXPECT_EQ(cudaLaunchKernel(append_digit, 1, 1, arguments, 0, first), cudaSuccess);
    EXPECT_EQ(*number, 323);
    EXPECT_EQ(cudaLaunchKernel(append_digit, 1, 1, nullptr, 0, first), cudaErrorInvalidValue);
}

TEST_F(Capturing, AForkAndAJoinMakeADiamond) {
    begin(first);
    append(first, 1);
    EXPECT_EQ(cudaEventRecord(fork, first), cudaSuccess);
    append(first, 2);
    EXPECT_EQ(cudaStreamWaitEvent(second, fork), cudaSuccess);
    append(second, 3);
    EXPECT_EQ(status_of(second), cudaStreamCaptureStatusActive);
    cudaStreamCaptureStatus status{};
    unsigned long long ids[2] = {};
    cudaGraphNode_t const* position = nullptr;
    std::size_t count = 0;
    EXPECT_EQ(cudaStreamGetCaptureInfo(first, &status, &ids[0]), cudaSuccess);
    EXPECT_EQ(cudaStreamGetCaptureInfo(second, &status, &ids[1], nullptr, &position, &count), cudaSuccess);
    EXPECT_EQ(ids[0], ids[1]);
    EXPECT_EQ(count, 1u);
    EXPECT_EQ(cudaEventRecord(join, second), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(first, join), cudaSuccess);
    append(first, 4);
    cudaGraph_t const graph = end(first);
    EXPECT_EQ(status_of(second), cudaStreamCaptureStatusNone);
    // Records and waits are edges, not nodes.
    cudaGraphNode_t nodes[4] = {};
    count = 4;
    ASSERT_EQ(cudaGraphGetNodes(graph, nodes, &count), cudaSuccess);
    ASSERT_EQ(count, 4u);
    cudaGraphNode_t from[5] = {};
    cudaGraphNode_t to[5] = {};
    count = 5;
    ASSERT_EQ(cudaGraphGetEdges(graph, from, to, &count), cudaSuccess);
    ASSERT_EQ(count, 4u);
    EXPECT_TRUE(from[0] == nodes[0] && to[0] == nodes[1] && from[1] == nodes[0] && to[1] == nodes[2]);
    EXPECT_TRUE(from[2] == nodes[1] && to[2] == nodes[3] && from[3] == nodes[2] && to[3] == nodes[3]);
    run(graph);
    EXPECT_EQ(*number, 1234);
    // An event of a capture is no event of a stream until it is recorded there.
    EXPECT_EQ(cudaEventSynchronize(fork), cudaErrorCapturedEvent);
    EXPECT_EQ(cudaStreamWaitEvent(first, fork), cudaErrorCapturedEvent);
    EXPECT_EQ(cudaEventRecord(fork, first), cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(fork), cudaSuccess);
}

TEST_F(Capturing, AGraphThatIsLaunchedBecomesAChild) {
    begin(first);
    append(first, 2);
    cudaGraph_t const inner = end(first);
    cudaGraphExec_t const exec = instantiated(inner);
    begin(first);
    append(first, 1);
    EXPECT_EQ(cudaGraphLaunch(exec, first), cudaSuccess);
    append(first, 3);
    EXPECT_EQ(*number, 0);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    cudaGraph_t const graph = end(first);
    EXPECT_EQ(nodes_of(graph), 3u);
    run(graph);
    EXPECT_EQ(*number, 123);
    cudaGraphDestroy(inner);
}

TEST_F(Capturing, MemoryAndExternalEventsBecomeNodes) {
    int* scratch = nullptr;
    begin(first);
    EXPECT_EQ(cudaEventRecordWithFlags(fork, first, cudaEventRecordExternal), cudaSuccess);
    EXPECT_EQ(cudaMallocAsync(&scratch, sizeof(int), first), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(scratch, 0, sizeof(int), first), cudaSuccess);
    simt::cuda::launch_kernel(1, 1, 0, first, "append", __LINE__, append_digit, scratch, 6);
    EXPECT_EQ(cudaMemcpyAsync(number, scratch, sizeof(int), cudaMemcpyDefault, first), cudaSuccess);
    EXPECT_EQ(cudaFreeAsync(scratch, first), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(first, fork, cudaEventWaitExternal), cudaSuccess);
    EXPECT_EQ(cudaEventRecordWithFlags(join, first, cudaEventRecordExternal), cudaSuccess);
    cudaGraph_t const graph = end(first);
    EXPECT_EQ(nodes_of(graph), 8u);
    float milliseconds = 0;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, fork, join), cudaErrorInvalidResourceHandle);
    run(graph);
    EXPECT_EQ(*number, 6);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, fork, join), cudaSuccess);
    EXPECT_EQ(cudaFree(scratch), cudaErrorInvalidValue);  // the graph freed it
    EXPECT_EQ(cudaEventRecordWithFlags(join, first, cudaEventRecordExternal), cudaErrorInvalidValue);
}

TEST_F(Capturing, ACapturedGraphUpdatesAnExecutable) {
    cudaGraphExec_t exec = nullptr;
    for (int digit = 1; digit <= 3; ++digit) {
        begin(first);
        append(first, digit);
        cudaMemsetAsync(number + 1, digit, 4, first);
        cudaGraph_t const graph = end(first);
        if (exec == nullptr) {
            exec = instantiated(graph);
        } else {
            cudaGraphExecUpdateResultInfo info{};
            EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaSuccess);
        }
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
        EXPECT_EQ(cudaGraphLaunch(exec, first), cudaSuccess);
        EXPECT_EQ(number[1], digit * 0x01010101);
    }
    EXPECT_EQ(*number, 123);
    cudaGraphExecDestroy(exec);
}

TEST_F(Capturing, AProgramMayChangeWhatTheNextNodeDependsOn) {
    begin(first);
    append(first, 1);
    cudaStreamCaptureStatus status{};
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t const* position = nullptr;
    std::size_t count = 0;
    ASSERT_EQ(cudaStreamGetCaptureInfo(first, &status, nullptr, &graph, &position, &count), cudaSuccess);
    ASSERT_EQ(count, 1u);
    cudaGraphNode_t const before = position[0];
    cudaGraphNode_t own[2] = {add_digit(graph, number, 2, {before}), add_digit(graph, number, 3, {before})};
    EXPECT_EQ(cudaStreamUpdateCaptureDependencies(first, own, 2, 7), cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamUpdateCaptureDependencies(first, nullptr, 0, cudaStreamSetCaptureDependencies), cudaSuccess);
    EXPECT_EQ(cudaStreamUpdateCaptureDependencies(first, own, 1, cudaStreamSetCaptureDependencies), cudaSuccess);
    EXPECT_EQ(cudaStreamUpdateCaptureDependencies(first, own + 1, nullptr, 1), cudaSuccess);
    append(first, 4);
    EXPECT_EQ(end(first), graph);
    cudaGraphNode_t nodes[4] = {};
    count = 4;
    EXPECT_EQ(cudaGraphGetNodes(graph, nodes, &count), cudaSuccess);
    EXPECT_EQ(cudaGraphNodeGetDependencies(nodes[3], nodes, &count), cudaSuccess);
    EXPECT_TRUE(count == 2 && nodes[0] == own[0] && nodes[1] == own[1]);
    EXPECT_EQ(cudaStreamUpdateCaptureDependencies(first, own, 1), cudaErrorIllegalState);
    // Into a graph of the program, behind one of its nodes.
    EXPECT_EQ(cudaStreamBeginCaptureToGraph(first, graph, own, nullptr, 1, cudaStreamCaptureModeGlobal), cudaSuccess);
    append(first, 5);
    EXPECT_EQ(end(first), graph);
    EXPECT_EQ(nodes_of(graph), 5u);
    run(graph);
    EXPECT_EQ(*number, 12345);
}

TEST_F(Capturing, ThreadsCaptureAtTheSameTime) {
    constexpr int threads = 4;
    int* const numbers = managed_zeros(threads);
    auto const capture = [&](int i) {
        cudaStream_t stream = nullptr;
        EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
        for (int round = 0; round < 50; ++round) {
            begin(stream, cudaStreamCaptureModeThreadLocal);
            for (int digit = 1; digit <= 4; ++digit) {
                simt::cuda::launch_kernel(1, 1, 0, stream, "append", __LINE__, append_digit, numbers + i, digit);
            }
            cudaGraph_t const graph = end(stream);
            cudaMemsetAsync(numbers + i, 0, sizeof(int), stream);
            cudaGraphExec_t const exec = instantiated(graph);
            EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
            EXPECT_EQ(numbers[i], 1234);
            cudaGraphExecDestroy(exec);
            cudaGraphDestroy(graph);
        }
        EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    };
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i) {
        running.emplace_back(capture, i);
    }
    for (std::thread& thread : running) {
        thread.join();
    }
    cudaFree(numbers);
}

}  // namespace
}  // namespace lockstep::cuda_api_test
