__global__ void divergent() {
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
}

int main() {
    divergent<<<1, 64>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
