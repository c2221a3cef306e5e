// CUDA graphs that a program builds: order, copies, lists, mistakes.

#include <array>
#include <string>

#include "tests/harness/simt/cuda_api/graph_support.hpp"

namespace lockstep::cuda_api_test {
namespace {

TEST(Graphs, ADiamondRunsByItsEdgesAndThenInTheOrderOfCreation) {
    std::string order;
    struct Note {
        std::string* order;
        char name;
    };
    std::array<Note, 4> notes = {{{&order, 'd'}, {&order, 'c'}, {&order, 'b'}, {&order, 'a'}}};
    cudaGraph_t const graph = empty_graph();
    cudaGraphNode_t node[4];
    for (std::size_t i = 0; i < 4; ++i) {
        auto const write = [](void* data) {
            auto const& note = *static_cast<Note*>(data);
            *note.order += note.name;
        };
        cudaHostNodeParams const parameters{write, &notes[i]};
        ASSERT_EQ(cudaGraphAddHostNode(&node[i], graph, nullptr, 0, &parameters), cudaSuccess);
    }
    auto const [d, c, b, a] = node;
    cudaGraphNode_t const from[] = {a, a, b, c};
    cudaGraphNode_t const to[] = {b, c, d, d};
    EXPECT_EQ(cudaGraphAddDependencies(graph, from, to, 4), cudaSuccess);
    launch_once(graph);
    EXPECT_EQ(order, "acbd");
    EXPECT_EQ(cudaGraphRemoveDependencies(graph, &a, &b, nullptr, 1), cudaSuccess);
    EXPECT_EQ(cudaGraphRemoveDependencies(graph, &a, &b, nullptr, 1), cudaErrorInvalidValue);
    launch_once(graph);
    EXPECT_EQ(order, "acbdbacd");
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    cudaGetLastError();
}

TEST(Graphs, ArgumentsAreThoseOfTheAddAndTheExecutableIsACopy) {
    int* const number = managed_zeros();
    cudaGraph_t const graph = empty_graph();
    int* pointer = number;
    Digits digits{1, 2};
    char last = 3;
    void* arguments[] = {&pointer, &digits, &last};
    cudaKernelNodeParams parameters = one_lane(append_digits, arguments);
    cudaGraphNode_t node = nullptr;
    ASSERT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), cudaSuccess);
    pointer = nullptr;
    digits = {7, 8};
    last = 9;
    cudaGraphExec_t const exec = instantiated(graph);
    EXPECT_EQ(*number, 0);
    // Neither new parameters nor another node change what was instantiated; nor does the end of the graph.
    pointer = number;
    EXPECT_EQ(cudaGraphKernelNodeSetParams(node, &parameters), cudaSuccess);
    add_digit(graph, number, 5, {node});
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(*number, 123);
    *number = 0;
    launch_once(graph);
    EXPECT_EQ(*number, 7895);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    *number = 4;
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(*number, 4123123);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    cudaFree(number);
}

TEST(Graphs, ChildGraphsAndClonesAreCopies) {
    int* const number = managed_zeros();
    cudaGraph_t const child = empty_graph();
    cudaGraphNode_t const two = add_digit(child, number, 2);
    add_digit(child, number, 3, {two});
    cudaGraph_t const graph = empty_graph();
    cudaGraphNode_t const one = add_digit(graph, number, 1);
    cudaGraphNode_t nested = nullptr;
    ASSERT_EQ(cudaGraphAddChildGraphNode(&nested, graph, &one, 1, child), cudaSuccess);
    add_digit(graph, number, 4, {nested});
    add_digit(child, number, 9, {two});
    cudaGraph_t clone = nullptr;
    ASSERT_EQ(cudaGraphClone(&clone, graph), cudaSuccess);
    cudaGraphNode_t cloned = nullptr;
    EXPECT_EQ(cudaGraphNodeFindInClone(&cloned, one, clone), cudaSuccess);
    EXPECT_NE(cloned, one);
    EXPECT_EQ(cudaGraphDestroyNode(cloned), cudaSuccess);
    EXPECT_EQ(cudaGraphNodeFindInClone(&cloned, one, clone), cudaErrorInvalidValue);
    launch_once(graph);
    EXPECT_EQ(*number, 1234);
    *number = 0;
    launch_once(clone);
    EXPECT_EQ(*number, 234);

    // The graph in the node is that of the node: it can be changed, but not destroyed.
    cudaGraph_t inner = nullptr;
    ASSERT_EQ(cudaGraphChildGraphNodeGetGraph(nested, &inner), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(inner), cudaErrorInvalidValue);
    std::size_t count = 1;
    cudaGraphNode_t inner_two = nullptr;
    ASSERT_EQ(cudaGraphGetRootNodes(inner, &inner_two, &count), cudaSuccess);
    cudaKernelNodeParams parameters{};
    ASSERT_EQ(cudaGraphKernelNodeGetParams(inner_two, &parameters), cudaSuccess);
    int digit = 6;
    void* arguments[] = {parameters.kernelParams[0], &digit};
    parameters.kernelParams = arguments;
    cudaGraphExec_t const exec = instantiated(graph);
    EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, inner_two, &parameters), cudaSuccess);
    *number = 0;
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(*number, 1634);
    cudaGraphExecUpdateResultInfo info{};
    EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaSuccess);  // also in the child
    *number = 0;
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(*number, 1234);
    cudaGraphExecDestroy(exec);
    for (cudaGraph_t const made : {child, graph, clone}) {
        EXPECT_EQ(cudaGraphDestroy(made), cudaSuccess);
    }
    cudaFree(number);
    cudaGetLastError();
}

TEST(Graphs, ACycleIsAnErrorOfTheInstantiation) {
    int* const number = managed_zeros();
    cudaGraph_t const graph = empty_graph();
    cudaGraphNode_t const a = add_digit(graph, number, 1);
    cudaGraphNode_t const b = add_digit(graph, number, 2, {a});
    cudaGraphNode_t const c = add_digit(graph, number, 3, {b});
    EXPECT_EQ(cudaGraphAddDependencies(graph, &c, &b, 1), cudaSuccess);
    cudaGraphExec_t exec = nullptr;
    cudaGraphInstantiateParams parameters{};
    EXPECT_EQ(cudaGraphInstantiateWithParams(&exec, graph, &parameters), cudaErrorInvalidValue);
    EXPECT_EQ(parameters.result_out, cudaGraphInstantiateInvalidStructure);
    EXPECT_EQ(parameters.errNode_out, b);
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0), cudaErrorInvalidValue);
    // Also in a child.
    cudaGraph_t const parent = empty_graph();
    cudaGraphNode_t node = nullptr;
    ASSERT_EQ(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, graph), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&exec, parent), cudaErrorInvalidValue);
    EXPECT_EQ(exec, nullptr);
    EXPECT_EQ(cudaGraphRemoveDependencies(graph, &c, &b, 1), cudaSuccess);
    launch_once(graph);
    EXPECT_EQ(*number, 123);
    cudaGraphDestroy(graph);
    cudaGraphDestroy(parent);
    cudaFree(number);
    cudaGetLastError();
}

TEST(Graphs, ListsOfNodesAndEdges) {
    int* const number = managed_zeros();
    cudaGraph_t const graph = empty_graph();
    cudaGraphNode_t const a = add_digit(graph, number, 1);
    cudaGraphNode_t const b = add_digit(graph, number, 2);
    cudaGraphNode_t const c = add_digit(graph, number, 3, {b, a});
    std::size_t count = 0;
    EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
    EXPECT_EQ(count, 3u);
    cudaGraphNode_t nodes[4] = {a, a, a, a};
    count = 2;
    EXPECT_EQ(cudaGraphGetNodes(graph, nodes, &count), cudaSuccess);
    EXPECT_EQ(count, 2u);
    EXPECT_EQ(nodes[1], b);
    EXPECT_EQ(nodes[2], a);  // as it was
    count = 4;
    EXPECT_EQ(cudaGraphGetRootNodes(graph, nodes, &count), cudaSuccess);
    EXPECT_EQ(count, 2u);
    EXPECT_EQ(nodes[1], b);
    EXPECT_EQ(nodes[3], nullptr);
    cudaGraphNode_t from[3] = {};
    cudaGraphNode_t to[3] = {};
    cudaGraphEdgeData data[3] = {{1, 1, 1, {}}, {1, 1, 1, {}}, {1, 1, 1, {}}};
    count = 3;
    EXPECT_EQ(cudaGraphGetEdges(graph, from, to, data, &count), cudaSuccess);
    EXPECT_EQ(count, 2u);
    EXPECT_TRUE(from[0] == b && from[1] == a && from[2] == nullptr && to[0] == c && to[1] == c);
    EXPECT_EQ(data[1].type, 0);
    EXPECT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, &count), cudaSuccess);
    EXPECT_EQ(cudaGraphNodeGetDependencies(c, nodes, &count), cudaSuccess);
    EXPECT_EQ(nodes[0], b);
    EXPECT_EQ(cudaGraphNodeGetDependentNodes(a, nullptr, &count), cudaSuccess);
    EXPECT_EQ(count, 1u);
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    EXPECT_EQ(cudaGraphNodeGetType(c, &type), cudaSuccess);
    EXPECT_EQ(type, cudaGraphNodeTypeKernel);
    cudaGraphDestroy(graph);
    cudaFree(number);
}

void never_registered(int*) {}

TEST(Graphs, MistakesAreErrors) {
    int* number = managed_zeros();
    cudaGraph_t const graph = empty_graph();
    cudaGraph_t const other = empty_graph();
    cudaGraphNode_t const a = add_digit(graph, number, 1);
    cudaGraphNode_t const b = add_digit(graph, number, 2, {a});
    cudaGraphNode_t const stranger = add_digit(other, number, 3);
    cudaGraphNode_t node = nullptr;
    cudaGraphNode_t const twice[] = {a, a};
    EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph, twice, 2), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph, &stranger, 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphAddDependencies(graph, &a, &b, 1), cudaErrorInvalidValue);  // there already
    EXPECT_EQ(cudaGraphAddDependencies(graph, &a, &a, 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphAddDependencies(graph, &a, &stranger, 1), cudaErrorInvalidValue);
    cudaGraphNode_t loose = nullptr;
    ASSERT_EQ(cudaGraphAddEmptyNode(&loose, graph, nullptr, 0), cudaSuccess);
    cudaGraphNode_t const twice_to[] = {loose, loose};
    EXPECT_EQ(cudaGraphAddDependencies(graph, twice, twice_to, 2), cudaErrorInvalidValue);
    cudaGraphEdgeData const programmatic{1, 0, 1, {}};
    EXPECT_EQ(cudaGraphAddDependencies(graph, &b, &a, &programmatic, 1), cudaErrorNotSupported);
    void* arguments[] = {&number};
    cudaKernelNodeParams parameters{reinterpret_cast<void*>(never_registered), 1, 1, 0, arguments, nullptr};
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), cudaErrorInvalidDeviceFunction);
    simt::cuda::register_kernel(never_registered, "known");
    parameters.blockDim = dim3(1025);
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), cudaErrorInvalidValue);
    parameters.blockDim = dim3(1);
    parameters.kernelParams = nullptr;
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, number, number, 4, static_cast<cudaMemcpyKind>(7)),
              cudaErrorInvalidMemcpyDirection);
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 4), cudaErrorInvalidValue);  // for launches on the device
    EXPECT_EQ(cudaGraphLaunch(nullptr, nullptr), cudaErrorInvalidValue);
    // An operation that fails ends the launch.
    ASSERT_EQ(cudaGraphAddMemcpyNode1D(&node, graph, &b, 1, number, number, 400, cudaMemcpyDefault), cudaSuccess);
    add_digit(graph, number, 9, {node});
    exec = instantiated(graph);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(*number, 12);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaGraphDestroy(other);
    cudaFree(number);
}

TEST(Graphs, RecordsOfEventsAreNodes) {
    cudaEvent_t start = nullptr;
    cudaEvent_t end = nullptr;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaGraph_t const graph = empty_graph();
    cudaGraphNode_t nodes[3] = {};
    ASSERT_EQ(cudaGraphAddEventRecordNode(&nodes[0], graph, nullptr, 0, start), cudaSuccess);
    ASSERT_EQ(cudaGraphAddEventWaitNode(&nodes[1], graph, &nodes[0], 1, start), cudaSuccess);
    ASSERT_EQ(cudaGraphAddEventRecordNode(&nodes[2], graph, &nodes[1], 1, end), cudaSuccess);
    float milliseconds = -1;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
    launch_once(graph);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
    EXPECT_GE(milliseconds, 0.0f);
    EXPECT_EQ(cudaGraphAddEventWaitNode(&nodes[1], graph, nullptr, 0, nullptr), cudaErrorInvalidValue);
    cudaGraphDestroy(graph);
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    cudaGetLastError();
}

}  // namespace
}  // namespace lockstep::cuda_api_test
