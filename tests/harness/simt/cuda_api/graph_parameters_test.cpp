// Parameters of the nodes of CUDA graphs, their updates in executable graphs, and memory of graphs.

#include <string>

#include "tests/harness/simt/cuda_api/graph_support.hpp"

namespace lockstep::cuda_api_test {
namespace {

TEST(Graphs, KernelParametersAreThoseOfTheNode) {
    int* const number = managed_zeros();
    cudaGraph_t const graph = empty_graph();
    cudaGraphNode_t const node = add_digit(graph, number, 6);
    cudaKernelNodeParams parameters{};
    ASSERT_EQ(cudaGraphKernelNodeGetParams(node, &parameters), cudaSuccess);
    EXPECT_EQ(parameters.func, reinterpret_cast<void*>(append_digit));
    EXPECT_EQ(parameters.blockDim.x, 1u);
    ASSERT_NE(parameters.kernelParams, nullptr);
    EXPECT_EQ(*static_cast<int**>(parameters.kernelParams[0]), number);
    EXPECT_EQ(*static_cast<int*>(parameters.kernelParams[1]), 6);
    // In the executable graph only.
    cudaGraphExec_t const exec = instantiated(graph);
    int digit = 4;
    void* arguments[] = {parameters.kernelParams[0], &digit};
    parameters.kernelParams = arguments;
    EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, node, &parameters), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    launch_once(graph);
    EXPECT_EQ(*number, 46);
    cudaGraph_t const other = empty_graph();
    cudaGraphNode_t const stranger = add_digit(other, number, 1);
    EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, stranger, &parameters), cudaErrorInvalidValue);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaGraphDestroy(other);
    cudaFree(number);
    cudaGetLastError();
}

TEST(Graphs, CopiesFillsAndHostFunctionsCanBeChangedInTheExecutable) {
    int from[4] = {1, 2, 3, 4};
    int to[2] = {};
    int* const device = managed_zeros(4);
    cudaGraph_t const graph = empty_graph();
    cudaGraphNode_t copy = nullptr;
    cudaGraphNode_t fill = nullptr;
    cudaGraphNode_t back = nullptr;
    cudaGraphNode_t host = nullptr;
    cudaMemsetParams set{device + 2, 0, 0x01020304, 4, 1, 1};
    auto const add_10 = [](void* data) { *static_cast<int*>(data) += 10; };
    cudaHostNodeParams call{add_10, &to[0]};
    ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, device, from, 16, cudaMemcpyHostToDevice),
              cudaSuccess);
    ASSERT_EQ(cudaGraphAddMemsetNode(&fill, graph, &copy, 1, &set), cudaSuccess);
    ASSERT_EQ(cudaGraphAddMemcpyNode1D(&back, graph, &fill, 1, to, device + 2, 8, cudaMemcpyDeviceToHost), cudaSuccess);
    ASSERT_EQ(cudaGraphAddHostNode(&host, graph, &back, 1, &call), cudaSuccess);
    cudaGraphExec_t const exec = instantiated(graph);
    from[3] = 5;  // memory is read when the graph runs
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(to[0], 0x01020304 + 10);
    EXPECT_EQ(to[1], 5);

    cudaMemcpy3DParms copied{};
    EXPECT_EQ(cudaGraphMemcpyNodeGetParams(copy, &copied), cudaSuccess);
    EXPECT_EQ(copied.dstPtr.ptr, device);
    copied.srcPtr.ptr = from + 1;
    copied.extent.width = 12;
    EXPECT_EQ(cudaGraphExecMemcpyNodeSetParams(exec, copy, &copied), cudaSuccess);
    set = {device + 3, 0, 7, 2, 1, 1};
    EXPECT_EQ(cudaGraphExecMemsetNodeSetParams(exec, fill, &set), cudaSuccess);
    EXPECT_EQ(cudaGraphExecMemcpyNodeSetParams1D(exec, back, to, device + 2, 8, cudaMemcpyDeviceToHost), cudaSuccess);
    call.userData = &to[1];
    EXPECT_EQ(cudaGraphExecHostNodeSetParams(exec, host, &call), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(to[0], 5);
    EXPECT_EQ(to[1], 7 + 10);
    // A copy in another direction, and boxes, are not for an executable graph.
    EXPECT_EQ(cudaGraphExecMemcpyNodeSetParams1D(exec, back, to, device, 8, cudaMemcpyHostToHost),
              cudaErrorInvalidValue);
    copied.extent.height = 2;
    EXPECT_EQ(cudaGraphExecMemcpyNodeSetParams(exec, copy, &copied), cudaErrorInvalidValue);
    set.height = 2;
    set.pitch = 2;
    EXPECT_EQ(cudaGraphExecMemsetNodeSetParams(exec, fill, &set), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphExecHostNodeSetParams(exec, copy, &call), cudaErrorInvalidValue);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(device);
    cudaGetLastError();
}

TEST(Graphs, FillsHaveElementsAndRows) {
    char* device = nullptr;
    ASSERT_EQ(cudaMallocManaged(&device, 12), cudaSuccess);
    cudaMemset(device, '-', 12);
    cudaGraph_t const graph = empty_graph();
    cudaGraphNode_t node = nullptr;
    cudaMemsetParams const words{device + 1, 5, 'a' + 256 * 'b', 2, 2, 2};
    ASSERT_EQ(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &words), cudaSuccess);
    launch_once(graph);
    EXPECT_EQ(std::string(device, 12), "-abab-abab--");
    for (unsigned const element : {0u, 3u, 8u}) {
        cudaMemsetParams const wrong{device, 4, 0, element, 1, 1};
        EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &wrong), cudaErrorInvalidValue);
    }
    cudaMemsetParams const narrow{device, 1, 0, 2, 1, 2};
    EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &narrow), cudaErrorInvalidValue);
    cudaGraphDestroy(graph);
    cudaFree(device);
    cudaGetLastError();
}

TEST(Graphs, AnUpdateTakesTheParametersOfTheSameTopology) {
    int* const number = managed_zeros();
    // A fork: two nodes after the first. The second graph is made in another order, with the same order of last nodes.
    cudaGraph_t const graph = empty_graph();
    cudaGraphNode_t const first = add_digit(graph, number, 1);
    add_digit(graph, number, 2, {first});
    add_digit(graph, number, 3, {first});
    cudaGraphExec_t const exec = instantiated(graph);
    cudaGraph_t const same = empty_graph();
    cudaGraphNode_t const left = add_digit(same, number, 5);
    cudaGraphNode_t const right = add_digit(same, number, 6);
    cudaGraphNode_t const before = add_digit(same, number, 4);
    cudaGraphNode_t const from[] = {before, before};
    cudaGraphNode_t const to[] = {left, right};
    ASSERT_EQ(cudaGraphAddDependencies(same, from, to, 2), cudaSuccess);
    cudaGraphExecUpdateResultInfo info{cudaGraphExecUpdateError, first, first};
    EXPECT_EQ(cudaGraphExecUpdate(exec, same, &info), cudaSuccess);
    EXPECT_EQ(info.result, cudaGraphExecUpdateSuccess);
    EXPECT_EQ(info.errorNode, nullptr);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(*number, 456);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaGraphDestroy(same);
    cudaFree(number);
}

TEST(Graphs, AnUpdateWithAnotherTopologyOrTypeChangesNothing) {
    int* const number = managed_zeros();
    auto const expect_failure = [&](cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResult result,
                                    cudaGraphNode_t node) {
        cudaGraphExecUpdateResultInfo info{};
        EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaErrorGraphExecUpdateFailure);
        EXPECT_EQ(info.result, result);
        EXPECT_EQ(info.errorNode, node);
        cudaGraphDestroy(graph);
    };
    cudaGraph_t const chain = empty_graph();
    cudaGraphNode_t const one = add_digit(chain, number, 1);
    cudaGraphNode_t const two = add_digit(chain, number, 2, {one});
    add_digit(chain, number, 3, {two});
    cudaGraphExec_t const exec = instantiated(chain);

    cudaGraph_t const shorter = empty_graph();
    add_digit(shorter, number, 7);
    expect_failure(exec, shorter, cudaGraphExecUpdateErrorTopologyChanged, nullptr);
    cudaGraph_t const joined = empty_graph();  // three nodes and one last node too
    cudaGraphNode_t const a = add_digit(joined, number, 7);
    cudaGraphNode_t const b = add_digit(joined, number, 8);
    cudaGraphNode_t const c = add_digit(joined, number, 9, {a, b});
    expect_failure(exec, joined, cudaGraphExecUpdateErrorTopologyChanged, c);
    cudaGraph_t const other = empty_graph();
    cudaGraphNode_t const d = add_digit(other, number, 7);
    cudaGraphNode_t nothing = nullptr;
    ASSERT_EQ(cudaGraphAddEmptyNode(&nothing, other, &d, 1), cudaSuccess);
    add_digit(other, number, 9, {nothing});
    expect_failure(exec, other, cudaGraphExecUpdateErrorNodeTypeChanged, nothing);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(*number, 123);
    // As many dependencies everywhere, but others.
    auto const crossed = [&](bool is_crossed) {
        cudaGraph_t const made = empty_graph();
        cudaGraphNode_t const left = add_digit(made, number, 1);
        cudaGraphNode_t const right = add_digit(made, number, 2);
        add_digit(made, number, 3, {is_crossed ? right : left});
        add_digit(made, number, 4, {left, right});
        return made;
    };
    cudaGraph_t const straight = crossed(false);
    cudaGraphExec_t const other_exec = instantiated(straight);
    cudaGraphExecUpdateResultInfo info{};
    EXPECT_EQ(cudaGraphExecUpdate(other_exec, straight, &info), cudaSuccess);
    cudaGraph_t const changed = crossed(true);
    EXPECT_EQ(cudaGraphExecUpdate(other_exec, changed, &info), cudaErrorGraphExecUpdateFailure);
    EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
    EXPECT_NE(info.errorFromNode, nullptr);
    cudaGraphExecDestroy(other_exec);
    cudaGraphDestroy(straight);
    cudaGraphDestroy(changed);
    cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
    EXPECT_EQ(cudaGraphExecUpdate(exec, chain, nullptr, &result), cudaSuccess);  // the form of CUDA 11
    EXPECT_EQ(result, cudaGraphExecUpdateSuccess);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(chain);
    cudaFree(number);
    cudaGetLastError();
}

// Adds a node that allocates the bytes of one number.
cudaGraphNode_t add_allocation(cudaGraph_t graph, cudaMemAllocNodeParams& parameters) {
    parameters = {};
    parameters.poolProps.allocType = cudaMemAllocationTypePinned;
    parameters.poolProps.location.type = cudaMemLocationTypeDevice;
    parameters.bytesize = sizeof(int);
    cudaGraphNode_t made = nullptr;
    EXPECT_EQ(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &parameters), cudaSuccess);
    return made;
}

TEST(GraphMemory, EachLaunchAllocatesAndFreesItAtTheSameAddress) {
    int* const out = managed_zeros();
    cudaGraph_t const graph = empty_graph();
    cudaMemAllocNodeParams parameters;
    cudaGraphNode_t const allocation = add_allocation(graph, parameters);
    int* const number = static_cast<int*>(parameters.dptr);
    EXPECT_EQ(cudaMemset(number, 0, sizeof(int)), cudaErrorInvalidValue);  // not before a launch
    cudaMemsetParams const zero{number, 0, 0, 4, 1, 1};
    cudaGraphNode_t node = nullptr;
    ASSERT_EQ(cudaGraphAddMemsetNode(&node, graph, &allocation, 1, &zero), cudaSuccess);
    node = add_digit(graph, number, 7, {node});
    ASSERT_EQ(cudaGraphAddMemcpyNode1D(&node, graph, &node, 1, out, number, 4, cudaMemcpyDefault), cudaSuccess);
    ASSERT_EQ(cudaGraphAddMemFreeNode(&node, graph, &node, 1, number), cudaSuccess);
    void* freed = nullptr;
    EXPECT_EQ(cudaGraphMemFreeNodeGetParams(node, &freed), cudaSuccess);
    EXPECT_EQ(freed, number);
    // One node frees the memory, and only memory of a graph.
    EXPECT_EQ(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, number), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, out), cudaErrorInvalidValue);
    cudaGraphExec_t const exec = instantiated(graph);
    for (int launch = 0; launch < 2; ++launch) {
        *out = 0;
        EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
        EXPECT_EQ(*out, 7);
        EXPECT_EQ(cudaMemset(number, 0, sizeof(int)), cudaErrorInvalidValue);
    }
    // Such a graph has no copies, and one executable graph at a time.
    cudaGraph_t copy = nullptr;
    cudaGraphExec_t second = nullptr;
    EXPECT_EQ(cudaGraphClone(&copy, graph), cudaErrorNotSupported);
    cudaGraph_t const parent = empty_graph();
    EXPECT_EQ(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, graph), cudaErrorNotSupported);
    EXPECT_EQ(cudaGraphInstantiate(&second, graph), cudaErrorNotSupported);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    launch_once(graph);
    cudaGraphDestroy(graph);
    cudaGraphDestroy(parent);
    cudaFree(out);
    cudaGetLastError();
}

TEST(GraphMemory, MayBeFreedOutsideOfTheGraph) {
    cudaGraph_t const graph = empty_graph();
    cudaMemAllocNodeParams parameters;
    add_allocation(graph, parameters);
    cudaGraphExec_t exec = instantiated(graph);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(cudaMemset(parameters.dptr, 0, sizeof(int)), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidValue);  // it is not free
    EXPECT_EQ(cudaFree(parameters.dptr), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    EXPECT_EQ(cudaMemset(parameters.dptr, 0, sizeof(int)), cudaSuccess);  // it outlives them
    EXPECT_EQ(cudaFree(parameters.dptr), cudaSuccess);
    cudaGetLastError();
}

}  // namespace
}  // namespace lockstep::cuda_api_test
