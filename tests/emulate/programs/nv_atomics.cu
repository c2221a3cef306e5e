// Lanes of two blocks add, and the one that comes last reads what all have stored before.

#include <cstdio>

__global__ void add(unsigned* values, unsigned long long* arrivals, unsigned* total) {
    unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_atomic_store_n(&values[thread], thread, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    unsigned long long const before =
        __nv_atomic_fetch_add(arrivals, 1ull, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    if (before + 1 < gridDim.x * blockDim.x)
        return;
    for (unsigned i = 0; i < gridDim.x * blockDim.x; ++i)
        *total += __nv_atomic_load_n(&values[i], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
}

int main() {
    unsigned *values, *total;
    unsigned long long* arrivals;
    cudaMalloc(&values, 128 * sizeof *values);
    cudaMalloc(&arrivals, sizeof *arrivals);
    cudaMalloc(&total, sizeof *total);
    cudaMemset(arrivals, 0, sizeof *arrivals);
    cudaMemset(total, 0, sizeof *total);
    add<<<2, 64>>>(values, arrivals, total);
    unsigned found = 0;
    cudaMemcpy(&found, total, sizeof found, cudaMemcpyDeviceToHost);
    std::printf("%u\n", found);
}
