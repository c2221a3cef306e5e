#pragma once
// What an experiment specifies for compilation at run time.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "harness/simt/embedded_text.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::jit {

struct CompileContext {
    std::string cache_name;   // name of the experiment's folder in the cache
    std::string subject;      // what is compiled, for error messages: "the system"
    std::string alternative;  // what the user can do if it does not compile: "use --machine cpu."
};

// The kernels of one text, by name. They stay loaded.
using Kernels = std::map<std::string, void*>;

// Kernels compiled with this build, which no run has to compile.
struct BuiltInKernels {
    unsigned long long digest;  // text_digest() of their text
    simt::Machine machine;
    Kernels kernels;
};

struct KernelContext : CompileContext {
    std::span<simt::EmbeddedText const> headers;  // includes of kernels, in addition to harness/simt/device_headers.hpp
    std::span<BuiltInKernels const> built_in;
    bool checks_bounds = false;  // in the emulator: for code that a user wrote (bounds_options)
};

}  // namespace lockstep::jit
