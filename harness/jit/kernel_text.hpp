#pragma once
// The source of kernels, for both machines. It includes only headers embedded in the program: those of
// harness/simt/device_headers.hpp and those of the experiment (KernelContext).

#include <string>
#include <vector>

namespace lockstep::jit {

struct KernelText {
    std::string text;
    std::string prefix;                // prefix of the entries' names in the object code; unique per text
    std::vector<std::string> entries;  // names of its kernels

    // Adds the kernel `name`, which calls the device function `body` with one struct `arguments` by value. Both names
    // are qualified. `bounds` is empty, or the kernel's __launch_bounds__ on a GPU.
    void add_entry(std::string const& name, std::string const& body, std::string const& arguments,
                   std::string const& bounds = "");
};

// The names of an entry in GPU object code and in host object code.
std::string gpu_symbol(KernelText const& text, std::string const& entry);
std::string lane_symbol(KernelText const& text, std::string const& entry);

}  // namespace lockstep::jit
