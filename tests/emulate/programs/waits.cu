// Does not end in device code or in host code, as the argument says; ends at once without one.
#include <cstdio>
#include <string>

__global__ void spin(unsigned* out, unsigned seed) {
    out[threadIdx.x] = seed;
    __syncthreads();
    if (threadIdx.x == 37 && blockIdx.x + 1 == gridDim.x) {
        unsigned value = seed;
        while (value != 7)
            value = value * 2 + 2;  // lane: stays even
        out[threadIdx.x] = value;
    }
}

int main(int argc, char** argv) {
    std::string const where = argc > 1 ? argv[1] : "";
    unsigned* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(unsigned));
    std::printf("started\n");
    std::fflush(stdout);
    if (where == "lane")
        spin<<<1, 64>>>(out, 2);
    if (where == "blocks")
        spin<<<40, 64>>>(out, 2);
    if (where == "host")
        std::getchar();  // host: for what does not come
    return 0;
}
