// Kernels for updates of shared and global memory. The lines are marked COUNT.

#include "tests/harness/simt/hooks/counted.hpp"
#include "tests/harness/simt/hooks/launching.hpp"

namespace lockstep::hook_tests::LOCKSTEP_MACHINE {
namespace gpu_updates {

template <class T, class Update>
__device__ void update_words(T* out, unsigned number, Update update) {
    T* const words = reinterpret_cast<T*>(shared_memory<Words>().v);
    words[threadIdx.x] = 0;
    __syncthreads();
    update(&words[threadIdx.x % number]);
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x];
}

__global__ void float_additions(float* out, unsigned words) {
    update_words(out, words, [](float* word) { atomicAdd(word, 1.0F); });  // COUNT float addition
}

__global__ void wide_updates(unsigned long long* out, unsigned words) {
    update_words(out, words, [](unsigned long long* word) { atomicOr(word, 1ull); });  // COUNT wide update
}

__global__ void wide_exchanges(unsigned long long* out, unsigned words) {
    update_words(out, words, [](unsigned long long* word) { atomicExch(word, 1ull); });  // COUNT wide exchange
}

__global__ void integer_additions(unsigned* out, unsigned words) {
    update_words(out, words, [](unsigned* word) { atomicAdd(word, 1u); });  // COUNT integer addition
}

__global__ void many_additions(float* out, unsigned rounds) {
    float* const words = reinterpret_cast<float*>(shared_memory<Words>().v);
    words[threadIdx.x] = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        atomicAdd(&words[threadIdx.x], 1.0F);  // COUNT one of many
    }
    out[threadIdx.x] = words[threadIdx.x];
}

// Lane i updates word i modulo `number`.
template <class T>
__global__ void global_additions(T* words, unsigned number) {
    atomicAdd(&words[threadIdx.x % number], T{1});  // COUNT global addition
}

__global__ void global_exchanges(unsigned* words, unsigned number) {
    atomicExch(&words[threadIdx.x % number], threadIdx.x);  // COUNT global exchange
}

__global__ void atomic_stores(unsigned* words) {
    store_relaxed(&words[threadIdx.x], threadIdx.x);  // COUNT atomic store
}

}  // namespace gpu_updates

void count_float_additions(unsigned words) {
    Buffer<float> out(32);
    out.upload(std::vector<float>(32, 1.0F));
    launch("float_additions", gpu_updates::float_additions, {{1}, {32}, sizeof(Words)}, {}, out.data(), words);
}

void count_many_additions(unsigned rounds) {
    Buffer<float> out(32);
    launch("many_additions", gpu_updates::many_additions, {{1}, {32}, sizeof(Words)}, {}, out.data(), rounds);
}

void count_global_additions(unsigned words) {
    auto out = zeros(32);
    launch("global_additions", gpu_updates::global_additions<unsigned>, {{1}, {32}}, {}, out.data(), words);
}

void count_global_float_additions(unsigned words) {
    Buffer<float> out(32);
    out.fill_bytes(0);
    launch("global_additions", gpu_updates::global_additions<float>, {{1}, {32}}, {}, out.data(), words);
}

void count_global_exchanges(unsigned words) {
    auto out = zeros(32);
    launch("global_exchanges", gpu_updates::global_exchanges, {{1}, {32}}, {}, out.data(), words);
}

void count_atomic_stores() {
    auto out = zeros(32);
    launch("atomic_stores", gpu_updates::atomic_stores, {{1}, {32}}, {}, out.data());
}

void count_wide_updates(unsigned words) {
    Buffer<unsigned long long> out(32);
    launch("wide_updates", gpu_updates::wide_updates, {{1}, {32}, sizeof(Words)}, {}, out.data(), words);
}

void count_wide_exchanges(unsigned words) {
    Buffer<unsigned long long> out(32);
    launch("wide_exchanges", gpu_updates::wide_exchanges, {{1}, {32}, sizeof(Words)}, {}, out.data(), words);
}

void count_integer_additions(unsigned words) {
    auto out = zeros(32);
    launch("integer_additions", gpu_updates::integer_additions, {{1}, {32}, sizeof(Words)}, {}, out.data(), words);
}

}  // namespace lockstep::hook_tests::LOCKSTEP_MACHINE
