#include "harness/simt/cuda/launch.hpp"

#include <string>

namespace lockstep::simt::cuda {
namespace {

dim3 to_dim3(Dim3 const& shape) { return {shape.x, shape.y, shape.z}; }

// A kernel must opt in to more than 48 KiB of dynamic shared memory.
void allow_shared_memory(void const* kernel, std::size_t bytes, char const* name) {
    if (bytes <= 48 * 1024) {
        return;
    }
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
          "shared memory of " + std::to_string(bytes) + " bytes for kernel '" + std::string(name) + "'");
}

}  // namespace

void launch_untyped(char const* name, void const* kernel, LaunchShape const& shape, Stream stream, void** arguments) {
    if (shape.grid.count() == 0 || shape.block.count() == 0) {
        throw Error("empty launch (the grid or the block has size zero) in the launch of kernel '" + std::string(name) +
                    "'");
    }
    allow_shared_memory(kernel, shape.shared_bytes, name);
    cudaLaunchAttribute cooperative{};
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = shape.cooperative ? 1 : 0;
    cudaLaunchConfig_t config{};
    config.gridDim = to_dim3(shape.grid);
    config.blockDim = to_dim3(shape.block);
    config.dynamicSmemBytes = shape.shared_bytes;
    config.stream = static_cast<cudaStream_t>(stream.handle);
    config.attrs = &cooperative;
    config.numAttrs = 1;
    // The message is built only on failure: building a string would be a noticeable part of the host's time to queue a
    // launch.
    if (cudaError_t const status = cudaLaunchKernelExC(&config, kernel, arguments); status != cudaSuccess) {
        check(status, "launch of kernel '" + std::string(name) + "'");
    }
}

KernelAttributes attributes_untyped(char const* name, void const* kernel, LaunchShape const& shape) {
    cudaFuncAttributes found{};
    check(cudaFuncGetAttributes(&found, kernel), "cudaFuncGetAttributes of kernel '" + std::string(name) + "'");
    allow_shared_memory(kernel, shape.shared_bytes, name);
    KernelAttributes result;
    result.name = name;
    result.registers = found.numRegs;
    result.local_bytes = found.localSizeBytes;
    result.shared_bytes = found.sharedSizeBytes + shape.shared_bytes;
    result.max_threads_per_block = found.maxThreadsPerBlock;
    result.grid = shape.grid;
    result.block = shape.block;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&result.resident_blocks_per_multiprocessor, kernel,
                                                        static_cast<int>(shape.block.count()), shape.shared_bytes),
          "occupancy of kernel '" + std::string(name) + "'");
    return result;
}

void synchronize(Stream stream) {
    check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream.handle)), "kernel execution");
}

}  // namespace lockstep::simt::cuda
