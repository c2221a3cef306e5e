#pragma once
// What an experiment tells the compilers that its program runs.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "harness/simt/embedded_text.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::jit {

struct CompileContext {
    std::string cache_name;   // of the experiment's folder in the cache
    std::string subject;      // what is compiled, for error messages: "the system"
    std::string alternative;  // what the user may do where it does not compile: "use --machine cpu."
};

// The kernels of one text by name. They stay loaded.
using Kernels = std::map<std::string, void*>;

// Kernels that were compiled with this build, so that no run compiles them.
struct BuiltInKernels {
    unsigned long long digest;  // text_digest() of their text
    simt::Machine machine;
    Kernels kernels;
};

struct KernelContext : CompileContext {
    std::span<simt::EmbeddedText const>
        headers;  // that kernels include, beside those of harness/simt/device_headers.hpp
    std::span<BuiltInKernels const> built_in;
};

}  // namespace lockstep::jit
