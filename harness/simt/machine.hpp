#pragma once
// The machines on which variants run, and the types with which host code describes launches on any of them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::simt {

enum class Machine { cpu, emulator, cuda };

std::string_view to_string(Machine machine);

// Throws std::invalid_argument for an unknown name.
Machine machine_from_string(std::string_view name);

// The stream on which a launch is queued. On CUDA `handle` is a cudaStream_t; other machines ignore it.
struct Stream {
    void* handle = nullptr;
};

struct Dim3 {
    unsigned x = 1;
    unsigned y = 1;
    unsigned z = 1;

    constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
    friend constexpr bool operator==(Dim3 const&, Dim3 const&) = default;
};

// The shape of one launch. `shared_bytes` is the size of the kernel's shared-memory struct. In a cooperative launch all
// blocks are resident at the same time, as grid_barrier requires.
struct LaunchShape {
    Dim3 grid;
    Dim3 block;
    std::size_t shared_bytes = 0;
    bool cooperative = false;
};

// The runtime's report on one kernel at one launch shape; zero for attributes that the machine does not have.
struct KernelAttributes {
    std::string name;
    int registers = 0;
    std::size_t local_bytes = 0;
    std::size_t shared_bytes = 0;
    int max_threads_per_block = 0;
    int resident_blocks_per_multiprocessor = 0;
    Dim3 grid;
    Dim3 block;
};

}  // namespace lockstep::simt
