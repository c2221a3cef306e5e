#include "harness/simt/cuda_api/launches.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <source_location>
#include <string>
#include <utility>

#include "harness/simt/cuda_api/capture.hpp"
#include "harness/simt/cuda_api/devices.hpp"
#include "harness/simt/cuda_api/kernel_attributes.hpp"
#include "harness/simt/cuda_api/kernel_entries.hpp"
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

// Why a lane has refused its launch, as a device does before the launch.
struct Refusal {
    std::mutex mutex;
    std::string why;
};

// What a lane needs of its launch: set when the lane begins. All lanes of a CPU thread belong to one launch.
struct Running {
    void (*lane)(void*);
    void* argument;
    unsigned long long* arrivals;
    LaunchRequest const& request;
    Refusal& refusal;
    std::atomic<void const*> kernel = nullptr;  // null until a lane has entered it
};
thread_local constinit Running* launch_of_lane = nullptr;

void run_lane(void* pointer) {
    Running& running = *static_cast<Running*>(pointer);
    launch_of_lane = &running;
    running.lane(running.argument);
}

std::size_t threads_of(dim3 const& block) { return std::size_t{block.x} * block.y * block.z; }

[[noreturn]] void refuse_launch(Running const& running, std::string const& why) {
    {
        std::lock_guard const lock(running.refusal.mutex);
        running.refusal.why = why;
    }
    emulator::refuse("the launch is refused", std::source_location::current());
}

// Called with the static shared memory of the running block whenever it grows.
void check_shared_bytes(std::size_t static_bytes) {
    if (launch_of_lane == nullptr || launch_of_lane->request.shared_bytes == 0) {
        return;
    }
    Running const& running = *launch_of_lane;
    std::string const why = refused_shared_bytes(running.kernel.load(), static_bytes, running.request.shared_bytes);
    if (!why.empty()) {
        refuse_launch(running, why);
    }
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
cudaError_t tell_refused(LaunchRequest const& request, cudaError_t error, std::string const& why = "") {
    dim3 const& grid = request.grid;
    dim3 const& block = request.block;
    std::string const line = request.line == 0 ? "" : " at line " + std::to_string(request.line);
    std::string const reason = why.empty() ? "" : "; " + why;
    std::fprintf(stderr,
                 "lockstep: kernel %s is not launched (%s: %u x %u x %u blocks of %u x %u x %u threads, %zu bytes of "
                 "shared memory%s) Change the launch%s.\n",
                 request.kernel, cudaGetErrorString(error), grid.x, grid.y, grid.z, block.x, block.y, block.z,
                 request.shared_bytes, reason.c_str(), line.c_str());
    remember_unnoticed(
        {"refused-launch",
         "kernel " + std::string(request.kernel) + " is not launched" + line + (why.empty() ? "" : " (" + why + ")"),
         "", 0});
    return report(error);
}

}  // namespace

void set_tell_error(TellError tell) { tell_error = tell; }

cudaError_t check_launch(LaunchRequest const& request) {
    DeviceLimits const& limits = device_limits;
    dim3 const& block = request.block;
    dim3 const& grid = request.grid;
    std::size_t const threads = threads_of(block);
    std::size_t const blocks = std::size_t{grid.x} * grid.y * grid.z;
    if (threads == 0 || threads > limits.threads_per_block || block.x > 1024 || block.y > 1024 || block.z > 64 ||
        blocks == 0 || grid.x > 0x7FFFFFFFu || grid.y > 65535 || grid.z > 65535) {
        return cudaErrorInvalidConfiguration;
    }
    if (!refused_shared_bytes(nullptr, 0, request.shared_bytes).empty()) {
        return cudaErrorInvalidValue;
    }
    if (request.is_cooperative && blocks > resident_blocks(threads, request.shared_bytes) * limits.multiprocessors) {
        return cudaErrorCooperativeLaunchTooLarge;
    }
    return cudaSuccess;
}

cudaError_t launch_lanes(LaunchRequest const& request, void (*lane)(void*), void* argument) {
    if (cudaError_t const error = check_launch(request); error != cudaSuccess) {
        return tell_refused(request, error, refused_shared_bytes(nullptr, 0, request.shared_bytes));
    }
    LaunchShape const shape{{request.grid.x, request.grid.y, request.grid.z},
                            {request.block.x, request.block.y, request.block.z},
                            emulator::shared_bytes_with_variables(request.shared_bytes),
                            request.is_cooperative};
    alignas(64) unsigned long long arrivals = 0;
    Refusal refusal;
    Running running{lane, argument, request.is_cooperative ? &arrivals : nullptr, request, refusal};
    emulator::tell_static_bytes(check_shared_bytes);
    hooks::note_allocated(&arrivals, sizeof arrivals, hooks::Memory::variable, "the grid's barrier");
    try {
        emulator::run_launch(request.kernel, shape, run_lane, &running, bytes_up_to(request, running));
    } catch (Error const& error) {
        if (refusal.why.empty()) {
            end_program(error, request);
        }
    }
    launch_of_lane = nullptr;
    hooks::note_freed(&arrivals);
    return refusal.why.empty() ? cudaSuccess : tell_refused(request, cudaErrorInvalidValue, refusal.why);
}

unsigned long long* grid_arrivals() { return launch_of_lane == nullptr ? nullptr : launch_of_lane->arrivals; }

// The first lane finds the kernel, which takes longer than the other checks.
void enter_kernel(int max_threads) {
    Running& running = *launch_of_lane;
    std::size_t const threads = threads_of(running.request.block);
    if (max_threads > 0 && threads > static_cast<std::size_t>(max_threads)) {
        refuse_launch(running, "__launch_bounds__ of the kernel allows " + std::to_string(max_threads) + " threads");
    }
    if (running.request.shared_bytes != 0 && running.kernel.load() == nullptr) {
        running.kernel = kernel_with(__builtin_return_address(0));
        check_shared_bytes(0);
    }
}

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
