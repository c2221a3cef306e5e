// The full mask after half of the warp has returned: CUDA asks only for the lanes that have not exited.
#include <cstdio>

__global__ void sum(int* out) {
    if (threadIdx.x >= 16)
        return;
    int value = static_cast<int>(threadIdx.x);
    for (int distance = 8; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x == 0)
        *out = value;
}

int main() {
    int *device, value = 0;
    cudaMalloc(&device, sizeof value);
    sum<<<1, 32>>>(device);
    cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
    printf("%d\n", value);
    return value != 120;
}
