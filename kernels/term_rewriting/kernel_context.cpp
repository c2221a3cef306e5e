#include "kernels/term_rewriting/kernel_context.hpp"

namespace lockstep::term_rewriting {

// The headers that generated kernels include, as text (experiments/term_rewriting/CMakeLists.txt lists them).
std::span<simt::EmbeddedText const> kernel_headers();

jit::KernelContext const& kernel_context() {
    static jit::KernelContext const context = {
        {"rewrite", "the system", "use --machine cpu."}, kernel_headers(), built_in_kernels()};
    return context;
}

}  // namespace lockstep::term_rewriting
