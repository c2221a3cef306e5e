#pragma once
// Kernel launches of a foreign program: what the translator makes of <<<>>>, and the functions of the runtime that
// launch. A launch that a device would refuse sets the last error. An undefined operation of a lane ends the program
// with the emulator's message, and exit code 1.

#include <tuple>
#include <type_traits>
#include <utility>

#include "harness/simt/cuda_api/streams.hpp"
#include "harness/simt/cuda_api/vector_types.hpp"

namespace lockstep::simt::cuda {

struct LaunchRequest {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes = 0;  // dynamic
    char const* kernel = "";
    int line = 0;  // of the launch; 0 if unknown
    bool is_cooperative = false;
};

// Runs lane(argument) once per lane.
cudaError_t launch_lanes(LaunchRequest const& request, void (*lane)(void*), void* argument);

template <class Run>
cudaError_t launch_callable(LaunchRequest const& request, Run run) {
    return launch_lanes(
        request, [](void* pointer) { (*static_cast<Run*>(pointer))(); }, &run);
}

// Calls kernel(arguments...) on every lane. Each lane has its own copies of the arguments.
template <class Kernel, class... A>
void launch_kernel(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t, char const* name, int line,
                   Kernel const& kernel, A... arguments) {
    auto const run = [&] { kernel(arguments...); };
    launch_callable({grid, block, shared_bytes, name, line}, run);
}

// The counter of the running launch with which its blocks meet, or null if the launch is not cooperative.
unsigned long long* grid_arrivals();

// Kernels that a program names by an untyped address. `call` calls the kernel at `address` with the arguments that the
// array points to.
using UntypedCall = void (*)(void const* address, void** arguments);
void know_kernel(void const* address, UntypedCall call, char const* name);
cudaError_t launch_untyped(void const* kernel, LaunchRequest request, void** arguments);

template <class... P>
void call_untyped(void const* address, void** arguments) {
    auto const kernel = reinterpret_cast<void (*)(P...)>(const_cast<void*>(address));
    [&]<std::size_t... i>(std::index_sequence<i...>) { kernel(*static_cast<std::remove_cvref_t<P>*>(arguments[i])...); }
    (std::index_sequence_for<P...>{});
}

// Makes a kernel known, so that cudaLaunchKernel can launch it by its address.
template <class... P>
bool register_kernel(void (*kernel)(P...), char const* name) {
    know_kernel(reinterpret_cast<void const*>(kernel), call_untyped<P...>, name);
    return true;
}

}  // namespace lockstep::simt::cuda

cudaError_t cudaLaunchKernel(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes = 0,
                             cudaStream_t stream = nullptr);
cudaError_t cudaLaunchCooperativeKernel(void const* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes = 0, cudaStream_t stream = nullptr);
template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
    lockstep::simt::cuda::register_kernel(kernel, "a kernel");
    return cudaLaunchKernel(reinterpret_cast<void const*>(kernel), grid, block, arguments, shared_bytes, stream);
}
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
    lockstep::simt::cuda::register_kernel(kernel, "a kernel");
    return cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(kernel), grid, block, arguments, shared_bytes,
                                       stream);
}
