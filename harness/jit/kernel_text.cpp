#include "harness/jit/kernel_text.hpp"

#include "harness/jit/code_writer.hpp"

namespace lockstep::jit {

// extern "C", so that NVRTC and the loader of shared objects find it by its name.
void KernelText::add_entry(std::string const& name, std::string const& body, std::string const& arguments,
                           std::string const& bounds) {
    entries.push_back(name);
    CodeWriter code;
    code.line("#if defined(__CUDACC__)");
    {
        auto const kernel = code.block("extern \"C\" __global__ void {}{}{}(__grid_constant__ {} const arguments)",
                                       bounds, bounds.empty() ? "" : " ", gpu_symbol(*this, name), arguments);
        code.line("{}(arguments);", body);
    }
    code.line("#else");
    {
        auto const lane = code.block("extern \"C\" void {}(void* arguments)", lane_symbol(*this, name));
        code.line("{}(*static_cast<{} const*>(arguments));", body, arguments);
    }
    code.line("#endif");
    text += code.text();
}

std::string gpu_symbol(KernelText const& text, std::string const& entry) { return text.prefix + "_" + entry; }
std::string lane_symbol(KernelText const& text, std::string const& entry) {
    return text.prefix + "_" + entry + "_lane";
}

}  // namespace lockstep::jit
