#pragma once
// The machines that a variant runs on, and the little that host code needs to say to any of them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::simt {

enum class Machine { cpu, emulator, cuda };

std::string_view to_string(Machine machine);

// Throws std::invalid_argument for a name that is no machine.
Machine machine_from_string(std::string_view name);

// Where a launch is queued. On CUDA `handle` is a cudaStream_t; elsewhere it means nothing.
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

// Shape of one launch. Shared bytes are those of the kernel's struct. A cooperative launch has all its
// blocks resident at once, which grid_barrier needs.
struct LaunchShape {
    Dim3 grid;
    Dim3 block;
    std::size_t shared_bytes = 0;
    bool cooperative = false;
};

// What the runtime says of one kernel at one launch shape; zero where the machine has no such thing.
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
