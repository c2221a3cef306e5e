#pragma once
// An experiment of one kernel, which doubles numbers, and of one header.

#include "harness/jit/context.hpp"
#include "harness/jit/kernel_text.hpp"

namespace lockstep::jit {

struct ToyArguments {
    unsigned* values;
    unsigned count;
};

inline KernelContext toy_context() {
    static constexpr simt::EmbeddedText headers[] = {{"toy/arguments.hpp",
                                                      "#pragma once\n"
                                                      "namespace toy {\n"
                                                      "struct Arguments {\n"
                                                      "    unsigned* values;\n"
                                                      "    unsigned count;\n"
                                                      "};\n"
                                                      "}  // namespace toy\n"}};
    return {{"toy", "the toy", "use the other toy."}, headers, {}};
}

// `change` is applied to each value.
inline KernelText toy_text(std::string const& change = "*= 2") {
    KernelText text;
    text.prefix = "toy";
    text.text =
        "#include \"harness/simt/kernel.hpp\"\n"
        "#include \"toy/arguments.hpp\"\n"
        "namespace toy {\n"
        "__device__ void twice(Arguments const& a) {\n"
        "    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < a.count)\n"
        "        a.values[i] " +
        change +
        ";\n"
        "}\n"
        "}  // namespace toy\n";
    text.add_entry("twice", "toy::twice", "toy::Arguments");
    return text;
}

}  // namespace lockstep::jit
