// The kernels of the table, as CUDA C++ and as HIP. kernels.cl has the same for OpenCL, plain.cpp as loops. Who
// includes it defines BLOCK_CELLS, which makes `cells` a shared array of a word per lane, and SHUFFLE_XOR. Each lane
// computes one word of `results`, `rounds` operations long, from `values`.

// A lane that never waits.
__global__ void straight(unsigned const* values, unsigned* results, unsigned rounds) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = values[i];
    for (unsigned round = 0; round < rounds; ++round) {
        value = value * 2 + 1;
    }
    results[i] = value;
}

// Two barriers per round: lanes read their neighbour's word, and write their own.
__global__ void barriers(unsigned const* values, unsigned* results, unsigned rounds) {
    unsigned const first = blockIdx.x * blockDim.x;
    unsigned const i = first + threadIdx.x;
    unsigned const neighbour = first + (threadIdx.x + 1) % blockDim.x;
    results[i] = values[i];
    for (unsigned round = 0; round < rounds; ++round) {
        __syncthreads();
        unsigned const value = results[neighbour];
        __syncthreads();
        results[i] = value + round;
    }
}

// A shuffle within 32 lanes per round.
__global__ void shuffles(unsigned const* values, unsigned* results, unsigned rounds) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = values[i];
    for (unsigned round = 0; round < rounds; ++round) {
        value += SHUFFLE_XOR(value, 1 << round % 5);
    }
    results[i] = value;
}

// An atomic addition to one of 256 words per round.
__global__ void atomics(unsigned const* values, unsigned* results, unsigned rounds) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned round = 0; round < rounds; ++round) {
        atomicAdd(&results[(threadIdx.x + 7 * round) % 256], values[i]);
    }
}

// The block's sum in shared memory, once per round.
__global__ void reduction(unsigned const* values, unsigned* results, unsigned rounds) {
    BLOCK_CELLS(cells);
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned total = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        cells[threadIdx.x] = values[i] + round;
        __syncthreads();
        for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
            if (threadIdx.x < half) {
                cells[threadIdx.x] += cells[threadIdx.x + half];
            }
            __syncthreads();
        }
        total += cells[0];
        __syncthreads();
    }
    results[i] = total;
}
