#include "harness/simt/cuda_api/launches.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "harness/simt/cuda_api/capture.hpp"
#include "harness/simt/cuda_api/devices.hpp"
#include "harness/simt/cuda_api/tell_error.hpp"
#include "harness/simt/emulator/launch.hpp"
#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/emulator/shared_variables.hpp"
#include "harness/simt/error.hpp"
#include "harness/simt/hooks/memory.hpp"

namespace lockstep::simt::cuda {
namespace {

struct Kernels {
    std::mutex mutex;
    std::map<void const*, KnownKernel> known;
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

// The bytes from `running` on that lanes read: up to the end of what its argument points to, which is on the stack
// above.
std::size_t bytes_up_to(LaunchRequest const& request, Running const& running) {
    auto const* const begin = reinterpret_cast<char const*>(&running);
    auto const* const end = static_cast<char const*>(running.argument) + request.argument_bytes;
    return end > begin ? static_cast<std::size_t>(end - begin) : sizeof running;
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

// A program that asks for no error would go on without the kernel's results.
void tell_refused(LaunchRequest const& request, cudaError_t error) {
    dim3 const& grid = request.grid;
    dim3 const& block = request.block;
    std::string const line = request.line == 0 ? "" : " at line " + std::to_string(request.line);
    std::fprintf(stderr,
                 "lockstep: kernel %s is not launched (%s: %u x %u x %u blocks of %u x %u x %u threads, %zu bytes of "
                 "shared memory) Change the launch%s.\n",
                 request.kernel, cudaGetErrorString(error), grid.x, grid.y, grid.z, block.x, block.y, block.z,
                 request.shared_bytes, line.c_str());
}

}  // namespace

void set_tell_error(TellError tell) { tell_error = tell; }

cudaError_t check_launch(LaunchRequest const& request) {
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

cudaError_t launch_lanes(LaunchRequest const& request, void (*lane)(void*), void* argument) {
    if (cudaError_t const error = check_launch(request); error != cudaSuccess) {
        tell_refused(request, error);
        std::string const line = request.line == 0 ? "" : " at line " + std::to_string(request.line);
        remember_unnoticed(
            {"refused-launch", "kernel " + std::string(request.kernel) + " is not launched" + line, "", 0});
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
        emulator::run_launch(request.kernel, shape, run_lane, &running, bytes_up_to(request, running));
    } catch (Error const& error) {
        end_program(error, request);
    }
    hooks::note_freed(&arrivals);
    return cudaSuccess;
}

unsigned long long* grid_arrivals() { return arrivals_of_launch; }

cudaError_t capture_launch(cudaStream_t stream, LaunchRequest const& request, LaunchClosure launch,
                           std::shared_ptr<void const> closure) {
    return enqueue(stream, KernelWork{request, launch, std::move(closure)});
}

void know_kernel(void const* address, KnownKernel const& kernel) {
    std::lock_guard const lock(kernels().mutex);
    kernels().known.insert({address, kernel});
}

bool find_kernel(void const* address, KnownKernel& found) {
    std::lock_guard const lock(kernels().mutex);
    auto const known = kernels().known.find(address);
    if (known == kernels().known.end()) {
        return false;
    }
    found = known->second;
    return true;
}

cudaError_t launch_untyped(void const* address, LaunchRequest const& request, void** arguments, cudaStream_t stream) {
    KernelWork work;
    cudaError_t const error = make_kernel_work(address, request, arguments, work);
    return error == cudaSuccess ? enqueue(stream, std::move(work)) : report(error);
}

}  // namespace lockstep::simt::cuda

cudaError_t cudaLaunchKernel(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                             cudaStream_t stream) {
    return lockstep::simt::cuda::launch_untyped(kernel, {grid, block, shared_bytes}, arguments, stream);
}

cudaError_t cudaLaunchCooperativeKernel(void const* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream) {
    return lockstep::simt::cuda::launch_untyped(kernel, {grid, block, shared_bytes, "", 0, true}, arguments, stream);
}
