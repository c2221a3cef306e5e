#include <cstdio>

#include "doubled.cuh"
#include "shared.h"

__device__ int offset = 1;

int main() {
    int value = 20, *device;
    cudaMalloc(&device, sizeof value);
    cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice);
    doubled<STEPS><<<1, 1>>>(device);
    add_offset(device);
    cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
    printf("%d\n", host_side(value));
    return value == 41 ? 0 : 1;
}
