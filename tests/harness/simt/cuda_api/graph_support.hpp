#pragma once
// Graphs whose kernels append digits to a number, so that the number tells what ran, in which order, and how often.

#include "tests/harness/simt/cuda_api/support.hpp"

namespace lockstep::cuda_api_test {

struct Digits {
    int first;
    int second;
};

// Kernels of one lane. Each appends digits to a number, so that the number tells their order.
inline void append_digit(int* number, int digit) { *number = *number * 10 + digit; }
inline void append_digits(int* number, Digits digits, char last) {
    *number = *number * 1000 + digits.first * 100 + digits.second * 10 + last;
}

template <class... P>
cudaKernelNodeParams one_lane(void (*kernel)(P...), void** arguments) {
    return {reinterpret_cast<void*>(simt::cuda::register_kernel(kernel, "appends")), 1, 1, 0, arguments, nullptr};
}

inline int* managed_zeros(std::size_t count = 1) {
    int* made = nullptr;
    EXPECT_EQ(cudaMallocManaged(&made, count * sizeof(int)), cudaSuccess);
    EXPECT_EQ(cudaMemset(made, 0, count * sizeof(int)), cudaSuccess);
    return made;
}

inline cudaGraph_t empty_graph() {
    cudaGraph_t made = nullptr;
    EXPECT_EQ(cudaGraphCreate(&made, 0), cudaSuccess);
    return made;
}

inline cudaGraphNode_t add_digit(cudaGraph_t graph, int* number, int digit,
                                 std::vector<cudaGraphNode_t> const& after = {}) {
    void* arguments[] = {&number, &digit};
    cudaKernelNodeParams const parameters = one_lane(append_digit, arguments);
    cudaGraphNode_t made = nullptr;
    EXPECT_EQ(cudaGraphAddKernelNode(&made, graph, after.data(), after.size(), &parameters), cudaSuccess);
    return made;
}

inline cudaGraphExec_t instantiated(cudaGraph_t graph) {
    cudaGraphExec_t made = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&made, graph, 0), cudaSuccess);
    return made;
}

inline void launch_once(cudaGraph_t graph) {
    cudaGraphExec_t const exec = instantiated(graph);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

}  // namespace lockstep::cuda_api_test
