#pragma once
// Runs a function on every lane of a small launch, with what foreign programs see of CUDA.

#include <gtest/gtest.h>

#include <vector>

#include "harness/simt/cuda_api/cuda_runtime.hpp"

namespace lockstep::cuda_api_test {

// Calls lane(out) on each of `threads` lanes of `blocks` blocks and returns what they wrote to `out`, managed memory of
// `size` zeros.
template <class T, class Lane>
std::vector<T> on_lanes(unsigned blocks, unsigned threads, std::size_t size, Lane lane) {
    T* out = nullptr;
    EXPECT_EQ(cudaMallocManaged(&out, size * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemset(out, 0, size * sizeof(T)), cudaSuccess);
    simt::cuda::launch_kernel(blocks, threads, 0, nullptr, "test", __LINE__, lane, out);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    std::vector<T> const result(out, out + size);
    EXPECT_EQ(cudaFree(out), cudaSuccess);
    return result;
}

}  // namespace lockstep::cuda_api_test
