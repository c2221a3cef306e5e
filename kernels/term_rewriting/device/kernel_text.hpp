#pragma once
// Source of kernels, for both machines. It includes headers that are embedded in the program (embedded.hpp of this
// folder, harness/simt/device_headers.hpp), and nothing else.

#include <string>
#include <vector>

namespace lockstep::term_rewriting {

struct KernelText {
    std::string text;
    std::string prefix;                // of the entries' names in the object code: unlike that of any other text
    std::vector<std::string> entries;  // its kernels

    // Adds the kernel `name`, which calls the device function `body` with one struct `arguments` by value; both
    // qualified. `bounds`: __launch_bounds__(threads of a block, blocks a multiprocessor) for a GPU, or nothing.
    void add_entry(std::string const& name, std::string const& body, std::string const& arguments,
                   std::string const& bounds = "");
};

// What an entry is called in the object code of a GPU, and in the host's.
std::string gpu_symbol(KernelText const& text, std::string const& entry);
std::string lane_symbol(KernelText const& text, std::string const& entry);

}  // namespace lockstep::term_rewriting
