__global__ void shifted(int* out) {
    __shared__ int words[64];
    words[threadIdx.x] = static_cast<int>(threadIdx.x);
    out[threadIdx.x] = words[63 - threadIdx.x];  // without __syncthreads
}

int main() {
    int* out;
    cudaMalloc(&out, 64 * sizeof(int));
    shifted<<<1, 64>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
