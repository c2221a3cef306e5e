// Kernels for what a GPU makes of the host's branches and accesses. The lines are marked COUNT.

#include "tests/harness/simt/hooks/counted.hpp"
#include "tests/harness/simt/hooks/launching.hpp"

namespace lockstep::hook_tests::LOCKSTEP_MACHINE {
namespace gpu_model {

__device__ inline float long_way(float value, float factor) {
    value = ((value * factor + 1) * factor + 2) * factor + 3;
    value = ((value * factor + 4) * factor + 5) * factor + 6;
    return ((value * factor + 7) * factor + 8) * factor + 9;
}

// No lane takes the side.
__global__ void never(float* out, float factor) {
    float value = out[threadIdx.x];
    if (value < 0) {
        value = long_way(value, factor);
    }
    out[threadIdx.x] = value;
}

// Both conditions hold in lanes below `both` only, and each alone in more.
__global__ void conditions(float* out, unsigned first, unsigned second) {
    float value = out[threadIdx.x];
    if (threadIdx.x < first && threadIdx.x >= second) {
        value = long_way(value, 2.0F);
    }
    out[threadIdx.x] = value;
}

struct Words {
    unsigned v[256];
};

// The words `first` to `first + 3` behind each lane's `stride` words.
__global__ void neighbours(unsigned* out, unsigned stride, unsigned first) {
    unsigned const* const words = shared_memory<Words>().v;
    shared_memory<Words>().v[threadIdx.x] = 1;
    shared_memory<Words>().v[threadIdx.x + 32] = 1;
    shared_memory<Words>().v[threadIdx.x + 64] = 1;
    shared_memory<Words>().v[threadIdx.x + 96] = 1;
    shared_memory<Words>().v[threadIdx.x + 128] = 1;
    __syncthreads();
    unsigned const* const own = words + (threadIdx.x * stride + first);
    out[threadIdx.x] = own[0] + own[1] + own[2];  // COUNT neighbours
    __syncthreads();
    out[threadIdx.x] += own[0] + own[1];  // COUNT pair
}

// Only the first warp has lanes that store.
__global__ void predicated(unsigned* out) {
    unsigned* const words = shared_memory<Words>().v;
    if (threadIdx.x < 8) {
        words[threadIdx.x] = 1;  // COUNT predicated
    }
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x % 8];
}

__global__ void divisions(float* out) { out[threadIdx.x] = out[threadIdx.x] / (out[threadIdx.x] + 1); }

}  // namespace gpu_model

namespace {

Buffer<float> ones() {
    Buffer<float> out(64);
    out.upload(std::vector<float>(64, 1.0F));
    return out;
}

}  // namespace

void count_never() {
    auto out = ones();
    launch("never", gpu_model::never, {{1}, {64}}, {}, out.data(), 2.0F);
}

void count_conditions(unsigned first, unsigned second) {
    auto out = ones();
    launch("conditions", gpu_model::conditions, {{1}, {64}}, {}, out.data(), first, second);
}

void count_neighbours(unsigned stride, unsigned first) {
    auto out = zeros(32);
    launch("neighbours", gpu_model::neighbours, {{1}, {32}, sizeof(gpu_model::Words)}, {}, out.data(), stride, first);
}

void count_predicated() {
    auto out = zeros(64);
    launch("predicated", gpu_model::predicated, {{1}, {64}, sizeof(gpu_model::Words)}, {}, out.data());
}

void count_divisions() {
    auto out = ones();
    launch("divisions", gpu_model::divisions, {{1}, {64}}, {}, out.data());
}

}  // namespace lockstep::hook_tests::LOCKSTEP_MACHINE
