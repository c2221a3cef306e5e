#include "harness/simt/cuda_api/kernel_attributes.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "harness/simt/cuda_api/devices.hpp"
#include "harness/simt/cuda_api/kernel_entries.hpp"

// Of libgcc, which reads the tables for exceptions. They know static functions too.
extern "C" void* _Unwind_FindEnclosingFunction(void* instruction);  // NOLINT(bugprone-reserved-identifier)

namespace lockstep::simt::cuda {
namespace {

struct Attributes {
    std::mutex mutex;
    std::map<void const*, int> max_threads;
    std::map<void const*, std::size_t> max_dynamic_bytes;
    std::optional<std::size_t> largest_dynamic_bytes;  // that the program has set
};

// Never destroyed: destructors of a program's global objects may launch.
Attributes& attributes() {
    static auto& made = *new Attributes;
    return made;
}

// The limit that the program has set for the kernel, if it has.
std::optional<std::size_t> set_dynamic_bytes(void const* kernel) {
    std::lock_guard const lock(attributes().mutex);
    if (kernel == nullptr) {
        return attributes().largest_dynamic_bytes;
    }
    auto const found = attributes().max_dynamic_bytes.find(kernel);
    return found == attributes().max_dynamic_bytes.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

bool know_launch_bounds(KernelEntry const* begin, KernelEntry const* end) {
    std::lock_guard const lock(attributes().mutex);
    for (KernelEntry const* entry = begin; entry != end; ++entry) {
        char const* const instruction = reinterpret_cast<char const*>(&entry->instruction) + entry->instruction;
        attributes().max_threads[kernel_with(instruction)] = entry->max_threads;
    }
    return true;
}

int max_threads_of(void const* kernel) {
    std::lock_guard const lock(attributes().mutex);
    auto const found = attributes().max_threads.find(kernel);
    int const most = static_cast<int>(device_limits.threads_per_block);
    return found == attributes().max_threads.end() ? most : std::min(found->second, most);
}

std::string refused_shared_bytes(void const* kernel, std::size_t static_bytes, std::size_t dynamic_bytes) {
    std::optional<std::size_t> const set = set_dynamic_bytes(kernel);
    std::size_t const most = set ? device_limits.shared_bytes_per_block_opt_in : device_limits.shared_bytes_per_block;
    std::size_t const left = most - std::min(most, static_bytes);
    std::size_t const allowed = set ? std::min(*set, left) : left;
    if (dynamic_bytes <= allowed) {
        return "";
    }
    std::string const beside =
        static_bytes == 0 ? "" : " beside " + std::to_string(static_bytes) + " bytes of static shared memory";
    return "the kernel may have " + std::to_string(allowed) + " bytes of dynamic shared memory" + beside +
           (set ? "" : ": cudaFuncSetAttribute has set no other limit for it");
}

void const* kernel_with(void const* instruction) {
    return _Unwind_FindEnclosingFunction(const_cast<void*>(instruction));
}

cudaError_t set_kernel_attribute(void const* kernel, cudaFuncAttribute attribute, int value) {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) {
        return cudaSuccess;
    }
    if (value < 0 || static_cast<std::size_t>(value) > device_limits.shared_bytes_per_block_opt_in) {
        return report(cudaErrorInvalidValue);
    }
    std::lock_guard const lock(attributes().mutex);
    auto const bytes = static_cast<std::size_t>(value);
    attributes().max_dynamic_bytes[kernel] = bytes;
    attributes().largest_dynamic_bytes =
        std::max({attributes().largest_dynamic_bytes.value_or(0), bytes, device_limits.shared_bytes_per_block});
    return cudaSuccess;
}

cudaError_t kernel_attributes(cudaFuncAttributes* attributes, void const* kernel) {
    *attributes = {};
    attributes->maxThreadsPerBlock = max_threads_of(kernel);
    attributes->ptxVersion = attributes->binaryVersion = 80;
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(set_dynamic_bytes(kernel).value_or(device_limits.shared_bytes_per_block));
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return cudaSuccess;
}

}  // namespace lockstep::simt::cuda
