// Kernels for what a GPU makes of the host's branches and accesses. The lines are marked COUNT.

#include <cmath>

#include "harness/simt/emulator/shared_variables.hpp"
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

// The lanes below `first` go another way than those behind.
__global__ void two_long_sides(float* out, unsigned first) {
    float value = out[threadIdx.x];
    if (threadIdx.x < first) {
        value = long_way(value, 2.0F);
    } else {
        value = long_way(value + 1, 3.0F) * value;
    }
    out[threadIdx.x] = value;
}

__global__ void a_switch(float* out, unsigned cases) {
    float value = out[threadIdx.x];
    switch (threadIdx.x % cases) {
        case 0:
            value = long_way(value, 2.0F);
            break;
        case 1:
            value = long_way(value + 1, 3.0F) * value;
            break;
        case 2:
            value = long_way(value * value, 4.0F) + value;
            break;
        case 3:
            value = long_way(value - 3, 5.0F) - value;
            break;
        case 4:
            value = value / long_way(value, 6.0F);
            break;
        case 5:
            value = long_way(value * 5, 7.0F) + 1;
            break;
        case 6:
            value = long_way(value + 7, 8.0F) * 3;
            break;
        default:
            break;
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

// Only the first warp has lanes that load.
__global__ void predicated_loads(unsigned* out) {
    unsigned* const words = shared_memory<Words>().v;
    words[threadIdx.x] = 1;
    __syncthreads();
    unsigned sum = 0;
    if (threadIdx.x < 8) {
        sum = words[threadIdx.x * 2] * 3;  // COUNT predicated load
    }
    out[threadIdx.x] = sum;
}

// The side has an access with a condition of its own.
__global__ void nested(unsigned* out, unsigned first, unsigned second) {
    unsigned* const words = shared_memory<Words>().v;
    if (threadIdx.x < first) {
        words[threadIdx.x + 64] = 2;
        if (threadIdx.x > second) {
            words[threadIdx.x] = 1;
        }
    }
    __syncthreads();
    out[threadIdx.x] = threadIdx.x;
}

__global__ void side(unsigned* out, unsigned first) {
    unsigned* const words = shared_memory<Words>().v;
    if (threadIdx.x < first) {
        words[threadIdx.x + 64] = 2;
        words[threadIdx.x] = 1;
    }
    __syncthreads();
    out[threadIdx.x] = threadIdx.x;
}

// The lanes below `first` load, and those from `last` on exit.
__global__ void loads_before_exit(unsigned* out, unsigned first, unsigned last) {
    unsigned* const words = shared_memory<Words>().v;
    words[threadIdx.x] = 1;
    words[threadIdx.x + 64] = 1;
    __syncthreads();
    unsigned sum = threadIdx.x;
    if (threadIdx.x < first) {
        sum += words[threadIdx.x * 2] * words[threadIdx.x + 64];  // COUNT loads before exit
    }
    if (threadIdx.x >= last) {
        return;
    }
    out[threadIdx.x] = sum;
}

// The last step of a reduction. Only lane 0 of the first warp takes part, and updates its own word.
__global__ void last_step(unsigned* out) {
    unsigned* const words = shared_memory<Words>().v;
    words[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 1) {
        words[threadIdx.x] += words[threadIdx.x + 1];  // COUNT last step
    }
    if (threadIdx.x == 0) {
        out[0] = words[0];
    }
}

__global__ void repeated_loads(unsigned* out, unsigned first, unsigned second) {
    unsigned* const words = shared_memory<Words>().v;
    words[threadIdx.x] = 1;
    words[threadIdx.x + 64] = 1;
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x + first] + words[threadIdx.x + second];  // COUNT repeated loads
}

struct alignas(16) Quad {
    unsigned a, b, c, d;
};

__global__ void struct_words(Quad const* from, unsigned* out) {
    Quad const& quad = from[threadIdx.x];
    out[threadIdx.x] = (quad.a ^ quad.b) + (quad.c ^ quad.d);  // COUNT struct words
}

__global__ void volatile_loads(unsigned* out) {
    unsigned volatile* const words = shared_memory<Words>().v;
    words[2 * threadIdx.x] = 1;
    words[2 * threadIdx.x + 1] = 1;
    __syncthreads();
    out[threadIdx.x] = words[2 * threadIdx.x] + words[2 * threadIdx.x + 1];  // COUNT volatile loads
}

// nvcc places variables in the order of their declarations, with no more space between them than they need.
__global__ void neighbouring_variables(unsigned* out) {
    struct First {};
    struct Second {};
    auto& first = simt::emulator::static_shared<unsigned, First>("first");
    auto& second = simt::emulator::static_shared<float, Second>("second");
    if (threadIdx.x == 0) {
        first = 1;
        second = 2;
    }
    __syncthreads();
    out[threadIdx.x] = first + static_cast<unsigned>(second);  // COUNT neighbouring variables
}

__global__ void several_conditions(float* out, unsigned first, unsigned second, unsigned third) {
    float value = out[threadIdx.x];
    if (threadIdx.x < first || (threadIdx.x >= second && threadIdx.x < third)) {
        value = long_way(value, 2.0F);
    }
    out[threadIdx.x] = value;
}

__global__ void several_with_else(float* out, unsigned first, unsigned second, unsigned third) {
    float value = out[threadIdx.x];
    if (threadIdx.x < first || (threadIdx.x >= second && threadIdx.x < third)) {
        value = long_way(value, 2.0F);
    } else if (value > 1) {
        value = long_way(value, 3.0F);
    }
    out[threadIdx.x] = value;
}

// Its calls are not seen, as those of the emulator's functions that access no memory.
[[gnu::no_sanitize("thread")]] __device__ LOCKSTEP_NOINLINE unsigned mixed(unsigned value) {
    return (value * 7 + 3) ^ (value >> 3);
}

__device__ LOCKSTEP_NOINLINE void keep(unsigned* out, unsigned value) { out[threadIdx.x] = value; }

__global__ void calls_of_a_function(unsigned* out) {
    unsigned value = mixed(out[threadIdx.x]);
    keep(out, value);
    value = mixed(value + 1);
    keep(out + 32, value);
}

__global__ void sines(double* out) {
    out[threadIdx.x] = std::sin(out[threadIdx.x]);  // COUNT sine
}

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

void count_predicated_loads() {
    auto out = zeros(64);
    launch("predicated_loads", gpu_model::predicated_loads, {{1}, {64}, sizeof(gpu_model::Words)}, {}, out.data());
}

void count_loads_before_exit(unsigned first, unsigned last) {
    auto out = zeros(64);
    launch("loads_before_exit", gpu_model::loads_before_exit, {{1}, {64}, sizeof(gpu_model::Words)}, {}, out.data(),
           first, last);
}

void count_two_long_sides(unsigned first) {
    auto out = ones();
    launch("two_long_sides", gpu_model::two_long_sides, {{1}, {64}}, {}, out.data(), first);
}

void count_a_switch(unsigned cases) {
    auto out = ones();
    launch("a_switch", gpu_model::a_switch, {{1}, {32}}, {}, out.data(), cases);
}

void count_last_step() {
    auto out = zeros(64);
    launch("last_step", gpu_model::last_step, {{1}, {64}, sizeof(gpu_model::Words)}, {}, out.data());
}

void count_repeated_loads(unsigned first, unsigned second) {
    auto out = zeros(32);
    launch("repeated_loads", gpu_model::repeated_loads, {{1}, {32}, sizeof(gpu_model::Words)}, {}, out.data(), first,
           second);
}

void count_struct_words() {
    auto const from = zeros(128);
    auto out = zeros(32);
    launch("struct_words", gpu_model::struct_words, {{1}, {32}}, {},
           reinterpret_cast<gpu_model::Quad const*>(from.data()), out.data());
}

void count_volatile_loads() {
    auto out = zeros(32);
    launch("volatile_loads", gpu_model::volatile_loads, {{1}, {32}, sizeof(gpu_model::Words)}, {}, out.data());
}

void count_neighbouring_variables() {
    auto out = zeros(32);
    launch("neighbouring_variables", gpu_model::neighbouring_variables,
           {{1}, {32}, simt::emulator::shared_bytes_with_variables(0)}, {}, out.data());
}

void count_several_conditions(bool has_else) {
    auto out = ones();
    launch("several_conditions", has_else ? gpu_model::several_with_else : gpu_model::several_conditions, {{1}, {64}},
           {}, out.data(), 4u, 8u, 16u);
}

void count_calls_of_a_function() {
    auto out = zeros(64);
    launch("calls_of_a_function", gpu_model::calls_of_a_function, {{1}, {32}}, {}, out.data());
}

void count_sines() {
    Buffer<double> out(32);
    out.fill_bytes(0);
    launch("sines", gpu_model::sines, {{1}, {32}}, {}, out.data());
}

void count_nested(bool has_condition) {
    auto out = zeros(64);
    if (has_condition) {
        launch("nested", gpu_model::nested, {{1}, {64}, sizeof(gpu_model::Words)}, {}, out.data(), 16u, 4u);
    } else {
        launch("side", gpu_model::side, {{1}, {64}, sizeof(gpu_model::Words)}, {}, out.data(), 16u);
    }
}

}  // namespace lockstep::hook_tests::LOCKSTEP_MACHINE
