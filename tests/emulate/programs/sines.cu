#include <cstdio>

__global__ void sines(double* values, int n) {
    int const i = threadIdx.x;
    if (i < n)
        values[i] = sin(values[i] / 3.3) * cos(values[i] / 3.3);
}

int main() {
    double* values;
    cudaMalloc(&values, 64 * sizeof(double));
    cudaMemset(values, 0, 64 * sizeof(double));
    sines<<<1, 64>>>(values, 64);
    puts(cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
}
