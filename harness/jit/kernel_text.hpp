#pragma once
// The source of kernels, for both machines. It includes only headers that are embedded in the program: those of
// harness/simt/device_headers.hpp and those of the experiment (KernelContext).

#include <string>
#include <vector>

namespace lockstep::jit {

struct KernelText {
    std::string text;
    std::string prefix;                // of the entries' names in the object code: no other text has the same
    std::vector<std::string> entries;  // its kernels

    // Adds the kernel `name`, which calls the device function `body` with one struct `arguments` by value. Both names
    // are qualified. `bounds` is empty, or the kernel's __launch_bounds__ on a GPU.
    void add_entry(std::string const& name, std::string const& body, std::string const& arguments,
                   std::string const& bounds = "");
};

// The name of an entry in the object code of a GPU, and in that of the host.
std::string gpu_symbol(KernelText const& text, std::string const& entry);
std::string lane_symbol(KernelText const& text, std::string const& entry);

}  // namespace lockstep::jit
