// The kernels in HIP-CPU (https://github.com/ROCm/HIP-CPU), whose warps have 64 lanes.

#include <hip/hip_runtime.h>

#include "tests/harness/simt/speed/emulators/serve.hpp"

namespace {

#define BLOCK_CELLS(name) __shared__ unsigned name[beside::block_size]
#define SHUFFLE_XOR(value, mask) static_cast<unsigned>(__shfl_xor(static_cast<int>(value), mask))
#include "tests/harness/simt/speed/emulators/kernels.hpp"

void check(hipError_t error) {
    if (error != hipSuccess) {
        throw std::runtime_error(hipGetErrorString(error));
    }
}

template <class Kernel>
void launch(Kernel kernel, beside::Request const& request, unsigned const* in, unsigned* out) {
    hipLaunchKernelGGL(kernel, dim3(request.blocks), dim3(beside::block_size), 0, nullptr, in, out, request.rounds);
    check(hipDeviceSynchronize());
}

void launch_named(beside::Request const& request, unsigned const* in, unsigned* out) {
    if (request.kernel == "straight") {
        launch(straight, request, in, out);
    } else if (request.kernel == "barriers") {
        launch(barriers, request, in, out);
    } else if (request.kernel == "shuffles") {
        launch(shuffles, request, in, out);
    } else if (request.kernel == "atomics") {
        launch(atomics, request, in, out);
    } else if (request.kernel == "reduction") {
        launch(reduction, request, in, out);
    } else {
        throw beside::unknown(request);
    }
}

double run(beside::Request const& request, std::vector<unsigned> const& values, std::vector<unsigned>& results) {
    std::size_t const bytes = values.size() * sizeof(unsigned);
    unsigned* in = nullptr;
    unsigned* out = nullptr;
    check(hipMalloc(reinterpret_cast<void**>(&in), bytes));
    check(hipMalloc(reinterpret_cast<void**>(&out), bytes));
    check(hipMemcpy(in, values.data(), bytes, hipMemcpyHostToDevice));
    check(hipMemcpy(out, results.data(), bytes, hipMemcpyHostToDevice));
    double const seconds = beside::seconds_of([&] { launch_named(request, in, out); });
    check(hipMemcpy(results.data(), out, bytes, hipMemcpyDeviceToHost));
    check(hipFree(in));
    check(hipFree(out));
    return seconds;
}

}  // namespace

int main() { return beside::serve(run); }
