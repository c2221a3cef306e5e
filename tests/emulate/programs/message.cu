// A message from one block to another: plain data behind a flag of cuda::atomic_ref. With relaxed orders it is a race.
#include <cuda/atomic>

#include <cstdio>

#ifdef RELAXED
constexpr auto publish = cuda::memory_order_relaxed, observe = cuda::memory_order_relaxed;
#else
constexpr auto publish = cuda::memory_order_release, observe = cuda::memory_order_acquire;
#endif

__global__ void pass(int* data, int* flag, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        data[0] = 42;
        ready.store(1, publish);
    } else if (ready.load(observe) == 1) {
        *out = data[0];
    } else {
        *out = 42;  // too early
    }
}

int main() {
    int* words;
    cudaMallocManaged(&words, 3 * sizeof(int));
    words[1] = 0;
    pass<<<2, 1>>>(words, words + 1, words + 2);
    cudaDeviceSynchronize();
    return printf("%d\n", words[2]), words[2] != 42;
}
