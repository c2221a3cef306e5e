// A lane waits for another one of its warp by a volatile read, without __nanosleep. Right since Volta.
#include <cstdio>

__global__ void hand_over(int volatile* flag, int* value) {
    if (threadIdx.x == 0) {
        while (flag[0] == 0) {
        }
        *value = flag[0];
    } else if (threadIdx.x == 1) {
        flag[0] = NEVER ? 0 : 42;
    }
}

int main() {
    int* words;
    cudaMallocManaged(&words, 2 * sizeof(int));
    words[0] = words[1] = 0;
    hand_over<<<1, 32>>>(words, words + 1);
    cudaDeviceSynchronize();
    std::printf("%d\n", words[1]);
}
