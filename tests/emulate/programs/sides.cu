#include <cstdio>

// A quarter of the first warp takes the innermost side, which the host's compiler places behind the loop.
__global__ void sides(float* out, float const* in, int few, int rounds) {
    __shared__ float words[64];
    words[threadIdx.x] = 0;
    __syncthreads();
    for (int part = 0; part < 2; ++part) {
        for (int round = 0; round < 256; ++round) {
            if (round < rounds) {
                float const factor = words[32 + round % 32];
                for (int i = 0; i < few; i += 32) {
                    if (i + threadIdx.x < few) {
                        atomicAdd(&words[i + threadIdx.x], in[i + round] + factor);
                    }
                }
            }
        }
        __syncthreads();
    }
    out[threadIdx.x] = words[threadIdx.x];
}

int main() {
    float *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 4096);
    sides<<<1, 64>>>(out, in, 8, 200);
    puts(cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
}
