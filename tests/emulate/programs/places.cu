// Accesses at places that the alignment of a vector type or the end of a shared array forbids, and right ones, by the
// name of the case.
#include <cstdio>
#include <cstring>

__global__ void store(char* c) {
    *(float4*)c = make_float4(1, 2, 3, 4);  // store
}

__global__ void load(char const* c, float* out) {
    float4 v = *(float4 const*)c;  // load
    out[0] = v.x + v.w;
}

__global__ void copy(float const* in, float* out) {
    int i = threadIdx.x;
    reinterpret_cast<float4*>(out)[i] = reinterpret_cast<float4 const*>(in)[i];  // from, to
}

__global__ void pair(char* c) {
    *(float2*)c = make_float2(1, 2);  // pair
}

__global__ void shared_pair(int at) {
    extern __shared__ char bytes[];
    *(int2*)(bytes + at) = make_int2(1, 2);  // shared
}

__global__ void empty(int* out) {
    extern __shared__ int values[];
    values[threadIdx.x] = threadIdx.x;  // empty
    out[threadIdx.x] = values[threadIdx.x];
}

__global__ void two_arrays(int beyond, int* out) {
    __shared__ int first[8], second[8];
    first[threadIdx.x] = threadIdx.x;
    second[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = first[threadIdx.x + beyond];  // next
    out[threadIdx.x] += second[threadIdx.x];
}

__global__ void dynamic_and_static(int beyond, int* out) {
    extern __shared__ int before[];
    __shared__ int behind[8];
    behind[threadIdx.x] = threadIdx.x;
    before[threadIdx.x + beyond] = threadIdx.x;  // dynamic
    out[threadIdx.x] = behind[threadIdx.x];
}

struct alignas(64) Line {
    float values[16];
};

__global__ void line(Line* lines) {
    lines[0].values[1] = 1;
    lines[1] = lines[0];  // a GPU needs 16 bytes at most
}

__device__ void set_part(float4& whole) { whole.y = 1; }

__global__ void part(char* c) { set_part(*reinterpret_cast<float4*>(c)); }

__global__ void member(char* c, float* out) {
    out[0] = ((float4*)c)->y;  // a GPU reads these 4 bytes alone
}

int main(int count, char** words) {
    char const* name = count > 1 ? words[1] : "";
    auto const is = [&](char const* other) { return std::strcmp(name, other) == 0; };
    char* c;
    float *in, *out;
    cudaMalloc(&c, 1024);
    cudaMalloc(&in, 1024);
    cudaMalloc(&out, 1024);
    cudaMemset(c, 0, 1024);
    cudaMemset(in, 0, 1024);
    store<<<1, 1>>>(c + (is("store") ? 4 : 16));
    load<<<1, 1>>>(c + (is("load") ? 8 : 16), out);
    copy<<<1, 32>>>(in + (is("from") ? 2 : 4), out + (is("to") ? 2 : 4));
    pair<<<1, 1>>>(c + (is("pair") ? 4 : 8));
    shared_pair<<<1, 1, 64>>>(is("shared") ? 12 : 8);
    empty<<<1, 1, is("empty") ? 0 : 4>>>(reinterpret_cast<int*>(out));
    two_arrays<<<1, 8>>>(is("next") ? 1 : 0, reinterpret_cast<int*>(out));
    dynamic_and_static<<<1, 8, 256>>>(is("dynamic") ? 64 : 0, reinterpret_cast<int*>(out));
    line<<<1, 1>>>(reinterpret_cast<Line*>(c + 16));
    part<<<1, 1>>>(c + 4);
    member<<<1, 1>>>(c + 4, out);
    std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
