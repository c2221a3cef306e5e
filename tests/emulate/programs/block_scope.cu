// Two blocks count by an atomic of block scope.
#include <cstdio>

__global__ void count(unsigned* counter) { atomicAdd_block(counter, 1u); }

int main() {
    unsigned* counter;
    cudaMalloc(&counter, sizeof(unsigned));
    cudaMemset(counter, 0, sizeof(unsigned));
    count<<<2, 1>>>(counter);
    cudaDeviceSynchronize();
    std::printf("done\n");
}
