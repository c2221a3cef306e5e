#pragma once
// Kernel launches of a foreign program: what the translator makes of <<<>>>, and the functions of the runtime that
// launch. A launch that a device would refuse sets the last error. An undefined operation of a lane ends the program
// with the emulator's message, and exit code 1.

#include <array>
#include <memory>
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
    // Of what the launch's argument points to: access checks let lanes read it. Where that holds addresses of the
    // arguments and not the arguments, it is a part of the stack above.
    std::size_t argument_bytes = 4096;
};

// The error of a launch that a device would refuse.
cudaError_t check_launch(LaunchRequest const& request);

// Runs lane(argument) once per lane.
cudaError_t launch_lanes(LaunchRequest const& request, void (*lane)(void*), void* argument);

// Not inlined, so that no variable of the host is between its own frame and `run`.
template <class Run>
[[gnu::noinline]] cudaError_t launch_callable(LaunchRequest const& request, Run run) {
    return launch_lanes(
        request, [](void* pointer) { (*static_cast<Run*>(pointer))(); }, &run);
}

// Makes a launch a node of the graph that the stream captures. When the graph runs, launch(request, closure) launches a
// copy of the closure.
using LaunchClosure = cudaError_t (*)(LaunchRequest const& request, void const* closure);
cudaError_t capture_launch(cudaStream_t stream, LaunchRequest const& request, LaunchClosure launch,
                           std::shared_ptr<void const> closure);

template <class Run>
cudaError_t launch_closure(LaunchRequest const& request, void const* closure) {
    return launch_callable(request, *static_cast<Run const*>(closure));
}
template <class Run>
cudaError_t capture_callable(cudaStream_t stream, LaunchRequest request, Run run) {
    request.argument_bytes = sizeof(Run);
    return capture_launch(stream, request, launch_closure<Run>, std::make_shared<Run>(std::move(run)));
}

// Calls kernel(arguments...) on every lane. Each lane has its own copies of the arguments.
template <class Kernel, class... A>
void launch_kernel(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream, char const* name, int line,
                   Kernel const& kernel, A... arguments) {
    LaunchRequest request{grid, block, shared_bytes, name, line};
    auto const run = [=] { kernel(arguments...); };
    if (runs_now(stream)) {
        request.argument_bytes = sizeof run;  // not the host's variables, which are next to it
        launch_callable(request, run);
    } else {
        capture_callable(stream, request, run);
    }
}

// The counter of the running launch with which its blocks meet, or null if the launch is not cooperative.
unsigned long long* grid_arrivals();

// Kernels that a program names by an untyped address. `call` calls the kernel at `address` with the arguments that the
// array points to.
using UntypedCall = void (*)(void const* address, void** arguments);
struct KnownKernel {
    UntypedCall call;
    char const* name;
    std::size_t const* parameter_bytes;  // of each parameter
    std::size_t parameters;
};
void know_kernel(void const* address, KnownKernel const& kernel);
bool find_kernel(void const* address, KnownKernel& found);
cudaError_t launch_untyped(void const* kernel, LaunchRequest const& request, void** arguments, cudaStream_t stream);

template <class... P>
void call_untyped(void const* address, void** arguments) {
    auto const kernel = reinterpret_cast<void (*)(P...)>(const_cast<void*>(address));
    [&]<std::size_t... i>(std::index_sequence<i...>) { kernel(*static_cast<std::remove_cvref_t<P>*>(arguments[i])...); }
    (std::index_sequence_for<P...>{});
}

template <class... P>
inline constexpr std::array<std::size_t, sizeof...(P)> parameter_bytes = {sizeof(std::remove_cvref_t<P>)...};

// Makes a kernel known, so that cudaLaunchKernel can launch it by its address, and returns it. The translator writes
// this call where a program makes an untyped address of a kernel.
template <class... P>
auto register_kernel(void (*kernel)(P...), char const* name) {
    know_kernel(reinterpret_cast<void const*>(kernel),
                {call_untyped<P...>, name, parameter_bytes<P...>.data(), sizeof...(P)});
    return kernel;
}
// A variable that has the name of a kernel stays as it is.
template <class T, class = std::enable_if_t<!std::is_function_v<std::remove_pointer_t<std::remove_reference_t<T>>>>>
T&& register_kernel(T&& variable, char const*) {
    return std::forward<T>(variable);
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
