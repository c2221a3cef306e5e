#include "harness/simt/cuda_api/launches.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "harness/simt/cuda_api/devices.hpp"
#include "harness/simt/cuda_api/tell_error.hpp"
#include "harness/simt/emulator/launch.hpp"
#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/emulator/shared_variables.hpp"
#include "harness/simt/error.hpp"
#include "harness/simt/hooks/memory.hpp"

namespace lockstep::simt::cuda {
namespace {

struct Kernel {
    UntypedCall call;
    char const* name;
};

struct Kernels {
    std::mutex mutex;
    std::map<void const*, Kernel> known;
};

Kernels& kernels() {
    static auto& made = *new Kernels;
    return made;
}

TellError tell_error = nullptr;

// What a lane needs of its launch: set when the lane begins. All lanes of a CPU thread belong to one launch.
thread_local constinit unsigned long long* arrivals_of_launch = nullptr;

struct Running {
    void (*lane)(void*);
    void* argument;
    unsigned long long* arrivals;
};

void run_lane(void* pointer) {
    Running const& running = *static_cast<Running*>(pointer);
    arrivals_of_launch = running.arrivals;
    running.lane(running.argument);
}

cudaError_t check(LaunchRequest const& request) {
    DeviceLimits const& limits = device_limits;
    dim3 const& block = request.block;
    dim3 const& grid = request.grid;
    std::size_t const threads = std::size_t{block.x} * block.y * block.z;
    std::size_t const blocks = std::size_t{grid.x} * grid.y * grid.z;
    if (threads == 0 || threads > limits.threads_per_block || block.x > 1024 || block.y > 1024 || block.z > 64 ||
        blocks == 0 || grid.x > 0x7FFFFFFFu || grid.y > 65535 || grid.z > 65535) {
        return cudaErrorInvalidConfiguration;
    }
    if (request.shared_bytes > max_dynamic_shared_bytes()) {
        return cudaErrorInvalidValue;
    }
    if (request.is_cooperative && blocks > resident_blocks(threads, request.shared_bytes) * limits.multiprocessors) {
        return cudaErrorCooperativeLaunchTooLarge;
    }
    return cudaSuccess;
}

// A device that met an undefined operation can do nothing more, so the program ends here, and its own cleanup runs.
[[noreturn]] void end_program(Error const& error, LaunchRequest const& request) {
    std::fflush(stdout);
    std::string text = error.what();
    if (request.line != 0) {
        text += " (launched at line " + std::to_string(request.line) + ")";
    }
    if (tell_error != nullptr) {
        tell_error(text.c_str());
    } else {
        std::fprintf(stderr, "lockstep: %s\n", text.c_str());
    }
    std::exit(1);
}

}  // namespace

void set_tell_error(TellError tell) { tell_error = tell; }

cudaError_t launch_lanes(LaunchRequest const& request, void (*lane)(void*), void* argument) {
    if (cudaError_t const error = check(request); error != cudaSuccess) {
        return report(error);
    }
    LaunchShape const shape{{request.grid.x, request.grid.y, request.grid.z},
                            {request.block.x, request.block.y, request.block.z},
                            emulator::shared_bytes_with_variables(request.shared_bytes),
                            request.is_cooperative};
    alignas(64) unsigned long long arrivals = 0;
    Running running{lane, argument, request.is_cooperative ? &arrivals : nullptr};
    hooks::note_allocated(&arrivals, sizeof arrivals, hooks::Memory::variable, "the grid's barrier");
    try {
        emulator::run_launch(request.kernel, shape, run_lane, &running);
    } catch (Error const& error) {
        end_program(error, request);
    }
    hooks::note_freed(&arrivals);
    return cudaSuccess;
}

unsigned long long* grid_arrivals() { return arrivals_of_launch; }

void know_kernel(void const* address, UntypedCall call, char const* name) {
    std::lock_guard const lock(kernels().mutex);
    kernels().known.insert({address, {call, name}});
}

cudaError_t launch_untyped(void const* address, LaunchRequest request, void** arguments) {
    Kernel kernel;
    {
        std::lock_guard const lock(kernels().mutex);
        auto const found = kernels().known.find(address);
        if (found == kernels().known.end()) {
            return report(cudaErrorInvalidDeviceFunction);
        }
        kernel = found->second;
    }
    request.kernel = kernel.name;
    auto const run = [&] { kernel.call(address, arguments); };
    return launch_callable(request, run);
}

}  // namespace lockstep::simt::cuda

cudaError_t cudaLaunchKernel(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                             cudaStream_t) {
    return lockstep::simt::cuda::launch_untyped(kernel, {grid, block, shared_bytes}, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(void const* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t) {
    return lockstep::simt::cuda::launch_untyped(kernel, {grid, block, shared_bytes, "", 0, true}, arguments);
}
