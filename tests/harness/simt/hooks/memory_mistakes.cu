// Mistakes in single accesses. The line of each is marked HERE.

#include <cstdint>
#include <vector>

#include "tests/harness/simt/hooks/cases.hpp"
#include "tests/harness/simt/hooks/launching.hpp"

namespace lockstep::hook_tests::LOCKSTEP_MACHINE {
namespace memory_cases {

__global__ void copy(unsigned const* in, unsigned* out, unsigned first) {
    unsigned const i = threadIdx.x + blockIdx.x * blockDim.x;
    out[i] = in[i + first];  // HERE copy
}

__global__ void store(unsigned* out, long long first) {
    out[static_cast<long long>(threadIdx.x) + first] = 1;  // HERE store
}

__global__ void read_wide(unsigned long long const* in, unsigned* out) {
    out[threadIdx.x] = static_cast<unsigned>(in[threadIdx.x] >> 32);  // HERE misaligned
}

__global__ void read_shared(unsigned* out, unsigned first) {
    auto& shared = shared_memory<Words>();
    shared.v[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = shared.v[threadIdx.x + first];  // HERE read_shared
}

__global__ void read_unset_shared(unsigned* out) {
    auto& shared = shared_memory<Words>();
    if (threadIdx.x != 5) {
        shared.v[threadIdx.x] = 1;
    }
    __syncthreads();
    out[threadIdx.x] = shared.v[threadIdx.x];  // HERE read_unset_shared
}

__global__ void divide(unsigned const* in, unsigned* out) {
    out[threadIdx.x] = 100 / in[threadIdx.x];  // HERE divide
}

__device__ LOCKSTEP_NOINLINE unsigned descend(unsigned const* in, unsigned depth) {
    unsigned volatile local[256];
    local[depth % 256] = in[0];
    return depth == 0 ? local[0] : descend(in, depth - 1) + local[depth % 256];
}

__global__ void recurse(unsigned const* in, unsigned* out) { out[threadIdx.x] = descend(in, 1000000); }

void read_past_end() {
    auto const in = zeros(64);
    auto out = zeros(64);
    run(copy, 2, 32, in.data(), out.data(), 1u);
}

void write_past_end() {
    auto out = zeros(64);
    run(store, 1, 32, out.data(), 33ll);
}

void write_before_begin() {
    auto out = zeros(64);
    run(store, 1, 32, out.data(), -1ll);
}

void write_far_away() {
    auto out = zeros(64);
    run(store, 1, 32, out.data(), 1ll << 40);
}

void misaligned() {
    auto const in = zeros(64);
    auto out = zeros(64);
    auto const shifted = reinterpret_cast<std::uintptr_t>(in.data()) + sizeof(unsigned);
    run(read_wide, 1, 4, reinterpret_cast<unsigned long long const*>(shifted), out.data());
}

void shared_past_end() {
    auto out = zeros(64);
    run(read_shared, 1, 64, out.data(), 1u);
}

void unset_shared() {
    auto out = zeros(64);
    run(read_unset_shared, 1, 64, out.data());
}

void unset_global() {
    Buffer<unsigned> const in(64);
    auto out = zeros(64);
    run(copy, 1, 64, in.data(), out.data(), 0u);
}

void unset_after_partial_upload() {
    Buffer<unsigned> in(64);
    unsigned const values[63] = {};
    in.upload(values);
    auto out = zeros(64);
    run(copy, 1, 64, in.data(), out.data(), 0u);
}

void host_pointer() {
    std::vector<unsigned> const in(1 << 20);  // not where a buffer was before
    auto out = zeros(64);
    run(copy, 1, 64, in.data(), out.data(), 0u);
}

void host_variable() {
    unsigned in[64] = {};
    auto out = zeros(64);
    run(copy, 1, 64, &in[0], out.data(), 0u);
}

void null_pointer() {
    auto out = zeros(64);
    run(copy, 1, 64, static_cast<unsigned const*>(nullptr), out.data(), 0u);
}

void use_after_free() {
    unsigned const* in = nullptr;
    {
        auto const freed = zeros(64);
        in = freed.data();
    }
    Buffer<unsigned> out(4096);
    run(copy, 1, 64, in, out.data(), 0u);
}

void division_by_zero() {
    auto const in = zeros(64);
    auto out = zeros(64);
    run(divide, 1, 64, in.data(), out.data());
}

void deep_stack() {
    auto const in = zeros(64);
    auto out = zeros(64);
    run(recurse, 1, 1, in.data(), out.data());
}

constexpr Case all[] = {
    {"read_past_end", "global read past the end", read_past_end},
    {"write_past_end", "global write past the end", write_past_end},
    {"write_before_begin", "global write before the beginning", write_before_begin},
    {"write_far_away", "global write far outside", write_far_away},
    {"misaligned", "misaligned access", misaligned},
    {"shared_past_end", "raw shared array past the end", shared_past_end},
    {"unset_shared", "unset raw shared memory", unset_shared},
    {"unset_global", "unset global memory", unset_global},
    {"unset_after_partial_upload", "unset end of a global buffer", unset_after_partial_upload},
    {"host_pointer", "host pointer (heap)", host_pointer},
    {"host_variable", "host pointer (stack)", host_variable},
    {"null_pointer", "null pointer", null_pointer},
    {"use_after_free", "use after free", use_after_free},
    {"division_by_zero", "division by zero", division_by_zero},
    {"deep_stack", "stack overflow", deep_stack},
};

}  // namespace memory_cases

std::span<Case const> memory_mistakes() { return memory_cases::all; }

}  // namespace lockstep::hook_tests::LOCKSTEP_MACHINE
