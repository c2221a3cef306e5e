// Launches at the limits of one kernel, and beyond them. Prints the error of each, or, with a word, makes one of those
// beyond and asks for no error. An H200 with CUDA 13.0 prints the same.
#include <cstdio>

constexpr int most = 256;

__global__ void __launch_bounds__(most, 2) bounded(int* out) { out[threadIdx.x] = 1; }

template <class T, unsigned n>
static __global__ void __launch_bounds__(n) of_template(T* out) {
    out[threadIdx.x] = 2;
}

__device__ int of_block(int i) {
    __shared__ int values[4096];
    values[i] = i;
    __syncthreads();
    return values[i ^ 1];
}

// 32 KiB of static shared memory, half of it in a function.
__global__ void mixed(int* out) {
    __shared__ int values[4096];
    extern __shared__ int more[];
    values[threadIdx.x] = more[threadIdx.x] = of_block(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x ^ 1] + more[threadIdx.x ^ 1];
}

namespace {
__global__ void dynamic(int* out) {
    extern __shared__ int values[];
    values[threadIdx.x] = 3;
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x ^ 1];
}
}  // namespace

void tell(char const* what) { std::printf("%s: %s\n", what, cudaGetErrorName(cudaGetLastError())); }

void bounds(int* out) {
    bounded<<<1, most>>>(out);
    tell("256 of 256");
    bounded<<<1, most + 1>>>(out);
    tell("257 of 256");
    of_template<int, 64><<<1, dim3(64, 1)>>>(out);
    tell("64 of 64");
    of_template<int, 32><<<1, dim3(32, 2)>>>(out);
    tell("64 of 32");
    void* arguments[] = {&out};
    cudaLaunchKernel((void*)bounded, 1, 257, arguments);
    tell("257 of 256 by address");
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, bounded);
    int grid = 0, block = 0;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, of_template<float, 96>);
    std::printf("at most %d, best %d\n", attributes.maxThreadsPerBlock, block);
}

void shared_memory(int* out) {
    auto const attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
    mixed<<<1, 32, 16384>>>(out);
    tell("48 KiB");
    mixed<<<1, 32, 16388>>>(out);
    tell("4 bytes more");
    dynamic<<<1, 32, 49152>>>(out);
    tell("48 KiB of dynamic memory");
    cudaFuncSetAttribute(mixed, attribute, 60000);
    mixed<<<1, 32, 60000>>>(out);
    tell("60000 bytes, as set");
    mixed<<<1, 32, 60004>>>(out);
    tell("4 bytes more than set");
    dynamic<<<1, 32, 60000>>>(out);
    tell("60000 bytes, set for another kernel");
    cudaFuncSetAttribute((void const*)dynamic, attribute, 60000);
    dynamic<<<1, 32, 60000>>>(out);
    tell("60000 bytes, set by address");
    cudaFuncSetAttribute(mixed, attribute, 128);
    mixed<<<1, 32, 132>>>(out);
    tell("less, as set");
}

int main(int count, char** words) {
    int* out;
    cudaMalloc(&out, 4096);
    if (count == 1) {
        bounds(out);
        shared_memory(out);
        std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
    } else if (words[1][0] == 'b') {
        bounded<<<1, 512>>>(out);  // bounds
    } else if (words[1][0] == 's') {
        mixed<<<1, 32, 20000>>>(out);  // shared
    }
}
