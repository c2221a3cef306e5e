// What a device's assert and printf do that the C library's do not. The words say which thread's assertion fails, and
// the program prints what printf returns.
#include <cassert>
#include <cstdio>
#include <cstdlib>

__device__ void check(int i, int n) {
    assert(i != n && "found at: n");  // fails
}

__global__ void check_all(int n) { check((blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, n); }

__global__ void print(int* counts) {
    counts[0] = printf("none %%\n");
    counts[1] = printf("%d %5.2f %lld %-3s|\n", 1, 2.0, 3LL, "4");
    counts[2] = std::printf("%*d\n", 5, 6);
    counts[3] = printf(nullptr);
}

int main(int, char** words) {
    int *device, counts[4];
    cudaMalloc(&device, sizeof counts);
    print<<<1, 1>>>(device);
    cudaMemcpy(counts, device, sizeof counts, cudaMemcpyDeviceToHost);
    int const host = printf("%d %d %d %d\n", counts[0], counts[1], counts[2], counts[3]);
    printf("%d\n", host);
    check_all<<<2, dim3(20, 2)>>>(std::atoi(words[1]));
    assert(cudaDeviceSynchronize() == cudaSuccess);
    assert(words[2] == nullptr);
}
