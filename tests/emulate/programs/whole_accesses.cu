// Accesses that a GPU makes as a whole: a vector of 16 bytes, and the words of a reduction by CUB.

#include <cstdio>
#include <cub/cub.cuh>

__global__ void halve(float4 const* in, float4* out) {
    float4 value = in[threadIdx.x];
    value.x *= 0.5f;
    value.w *= 0.5f;
    out[threadIdx.x] = value;
}

__global__ void add(int* total) {
    using Reduce = cub::BlockReduce<int, 128>;
    __shared__ typename Reduce::TempStorage storage;
    int const sum = Reduce(storage).Sum(static_cast<int>(threadIdx.x));
    if (threadIdx.x == 0) {
        *total = sum;
    }
}

int main() {
    float4* data = nullptr;
    cudaMalloc(&data, 64 * sizeof(float4));
    cudaMemset(data, 0, 64 * sizeof(float4));
    halve<<<1, 64>>>(data, data);
    int* total = nullptr;
    cudaMalloc(&total, sizeof(int));
    add<<<1, 128>>>(total);
    int sum = 0;
    cudaMemcpy(&sum, total, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", sum);
    cudaFree(data);
    cudaFree(total);
    return 0;
}
