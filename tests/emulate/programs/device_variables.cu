// Indices at the ends of variables in device memory, and beyond them, by the name of the case. The variables are of
// each kind that a compiler keeps in a place of its own.
#include <cstdio>
#include <cstring>

__device__ float zeros[16];
__device__ int ones[4] = {1, 1, 1, 1}, *pointer = ones, more[4];
__constant__ int table[8] = {1, 2, 3};
__managed__ int managed[2][8];
namespace inner {
static __device__ double sums[4];
__device__ int const fixed[4] = {1, 2, 3, 4};
}  // namespace inner
extern __device__ int outside[4];
__device__ int twice(int i) { return 2 * outside[i & 3]; }
__device__ int outside[4];
template <class T>
__device__ T many[4];
inline __device__ int shared_by_files[4];
using Function = int (*)(int);
__device__ Function functions[1] = {twice};
static_assert(sizeof zeros == 64 && sizeof managed == 64 && sizeof(inner::sums) == 32);

struct Indices {
    int zeros = 15, ones = 3, more = 3, table = 7, managed = 7, sums = 3, outside = 3, functions = 0, straddle = 0;
};

__global__ void use(Indices i, long long* out) {
    zeros[i.zeros] = 1;                                 // behind, before
    out[0] = ones[i.ones];                              // next
    more[i.more] = 2;                                   // second
    out[1] = table[i.table];                            // constant
    managed[1][i.managed] = 3;                          // row
    inner::sums[i.sums] = 4;                            // namespace
    outside[i.outside] = 5;                             // extern
    out[2] = functions[i.functions] != nullptr;         // function
    std::memcpy(out + 3, (char*)ones + i.straddle, 8);  // copy
    many<int>[3] = 6;
    shared_by_files[3] = many<int>[3];
    out[4] = inner::fixed[3] + *pointer + twice(3);
}

int main(int count, char** words) {
    char const* name = count > 1 ? words[1] : "";
    auto const is = [&](char const* other) { return std::strcmp(name, other) == 0; };
    Indices i;
    i.zeros = is("behind") ? 16 : is("before") ? -1 : i.zeros;
    i.ones = is("next") ? 4 : i.ones;
    i.more = is("second") ? 4 : i.more;
    i.table = is("constant") ? 8 : i.table;
    i.managed = is("row") ? 8 : i.managed;
    i.sums = is("namespace") ? -1 : i.sums;
    i.outside = is("extern") ? 4 : i.outside;
    i.functions = is("function") ? 1 : i.functions;
    i.straddle = is("copy") ? 12 : i.straddle;
    int const values[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    cudaMemcpyToSymbol(table, values, sizeof values);
    int const five = 5;
    cudaMemcpyToSymbol(many<int>, &five, sizeof five, 8);
    long long* out;
    cudaMalloc(&out, 5 * sizeof *out);
    use<<<1, 1>>>(i, out);
    long long results[5];
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    float* address = nullptr;
    std::size_t bytes = 0;
    cudaGetSymbolAddress(&address, zeros);
    cudaGetSymbolSize(&bytes, zeros);
    float last = 0;
    cudaMemcpy(&last, address + 15, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("%lld %lld %lld %zu %g\n", results[0], results[1], results[4], bytes, last);
}
