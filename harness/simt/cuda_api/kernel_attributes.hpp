#pragma once
// What is known of one kernel: the bound of its blocks, and the dynamic shared memory that it may have. A kernel is
// named by the address of its code; null stands for one that is not known.

#include <cstddef>
#include <string>

namespace lockstep::simt::cuda {

// The threads that a block of the kernel may have: those of __launch_bounds__, or what the device allows.
int max_threads_of(void const* kernel);

// Why a block of the kernel cannot have this shared memory, or nothing. As on a device, static and dynamic memory have
// 48 KiB together, unless the program has set the limit of dynamic memory. A kernel that is not known may have the most
// that the program has set for any.
std::string refused_shared_bytes(void const* kernel, std::size_t static_bytes, std::size_t dynamic_bytes);

// The address of the kernel whose code contains the instruction.
void const* kernel_with(void const* instruction);

}  // namespace lockstep::simt::cuda
