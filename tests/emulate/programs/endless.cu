// One lane of the second warp does not end, and accesses nothing.

#include <cstdio>

__device__ bool is_done(unsigned value) { return value == 7; }

__global__ void spin(unsigned* out, unsigned seed) {
    out[threadIdx.x] = seed;
    if (threadIdx.x == 37) {
        unsigned value = seed;
        while (!is_done(value)) {
            value = value * 2 + 2;  // stays even
        }
        out[threadIdx.x] = value;
    }
}

int main() {
    unsigned* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(unsigned));
    std::printf("started\n");
    spin<<<1, 64>>>(out, 2);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
