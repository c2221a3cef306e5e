// Stores with a stride of two words: 8 sectors per warp where 4 would do.

#include <cstdio>

__global__ void spread(int* out) { out[2 * threadIdx.x] = 1; }

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    spread<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
    std::puts("done");
    return 0;
}
