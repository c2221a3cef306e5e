#include "harness/jit/kernel_text.hpp"

namespace lockstep::jit {

// extern "C", so that NVRTC and the loader of shared objects find it by its name.
void KernelText::add_entry(std::string const& name, std::string const& body, std::string const& arguments,
                           std::string const& bounds) {
    entries.push_back(name);
    text += "#if defined(__CUDACC__)\nextern \"C\" __global__ void " + bounds + (bounds.empty() ? "" : " ") +
            gpu_symbol(*this, name) + "(__grid_constant__ " + arguments + " const arguments) {\n    " + body +
            "(arguments);\n}\n#else\nextern \"C\" void " + lane_symbol(*this, name) + "(void* arguments) {\n    " +
            body + "(*static_cast<" + arguments + " const*>(arguments));\n}\n#endif\n";
}

std::string gpu_symbol(KernelText const& text, std::string const& entry) { return text.prefix + "_" + entry; }
std::string lane_symbol(KernelText const& text, std::string const& entry) {
    return text.prefix + "_" + entry + "_lane";
}

}  // namespace lockstep::jit
