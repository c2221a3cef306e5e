// The last block to finish adds the sums of all blocks (CUDA C++ Programming Guide, memory fence functions). It needs
// the fence; without -DFENCE it fails in a weak memory. The sums are volatile, so there is no race.
#include <cstdio>

constexpr unsigned blocks = 16;

__device__ unsigned finished;

__global__ void sum(unsigned volatile* sums, unsigned* total) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = blockIdx.x + 1;
#ifdef FENCE
        __threadfence();
#endif
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        unsigned all = 0;
        for (unsigned i = 0; i < gridDim.x; ++i)
            all += sums[i];
        *total = all;
    }
}

int main() {
    unsigned *sums, *total, result = 0;
    cudaMalloc(&sums, blocks * sizeof(unsigned));
    cudaMalloc(&total, sizeof(unsigned));
    cudaMemset(sums, 0, blocks * sizeof(unsigned));
    sum<<<blocks, 32>>>(sums, total);
    cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
    std::printf(result == blocks * (blocks + 1) / 2 ? "right\n" : "wrong\n");
    return result == blocks * (blocks + 1) / 2 ? 0 : 1;
}
