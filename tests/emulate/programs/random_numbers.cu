// cuRAND on the device and on the host: states in memory, and the mean of uniform and normal numbers.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

constexpr int blocks = 4, threads = 64, lanes = blocks * threads, draws = 32;

__global__ void set_up(curandState* states) {
    int const id = blockIdx.x * threads + threadIdx.x;
    curand_init(1234, id, 0, &states[id]);
}

__global__ void draw(curandState* states, float* uniform, float* normal) {
    int const id = blockIdx.x * threads + threadIdx.x;
    curandState state = states[id];
    for (int i = 0; i < draws; ++i) {
        uniform[id * draws + i] = curand_uniform(&state);
        normal[id * draws + i] = curand_normal(&state);
    }
    states[id] = state;
}

double mean(float const* numbers, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += numbers[i];
    return sum / count;
}

int main() {
    curandState* states;
    float *uniform, *normal, *generated;
    cudaMalloc(&states, lanes * sizeof(curandState));
    cudaMallocManaged(&uniform, lanes * draws * sizeof(float));
    cudaMallocManaged(&normal, lanes * draws * sizeof(float));
    cudaMallocManaged(&generated, lanes * sizeof(float));
    set_up<<<blocks, threads>>>(states);
    draw<<<blocks, threads>>>(states, uniform, normal);
    cudaDeviceSynchronize();
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    if (curandGenerateUniform(generator, generated, lanes) != CURAND_STATUS_SUCCESS)
        return printf("no numbers\n"), 1;
    curandDestroyGenerator(generator);
    for (int id = 0; id < lanes; ++id) {  // lane id and result id of the generator have the same subsequence
        if (generated[id] != uniform[id * draws])
            return printf("lane %d has another number\n", id), 1;
    }
    if (std::fabs(mean(uniform, lanes * draws) - 0.5) > 0.02 || std::fabs(mean(normal, lanes * draws)) > 0.06)
        return printf("the means are wrong\n"), 1;
    printf("right\n");
}
