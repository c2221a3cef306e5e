#pragma once
// What harness/jit needs to compile and load the kernels of term rewriting.

#include <vector>

#include "harness/jit/context.hpp"

namespace lockstep::term_rewriting {

// The kernels as printed of the paper's systems (experiments/term_rewriting/write_built_in.cpp writes the list).
std::vector<jit::BuiltInKernels> const& built_in_kernels();

jit::KernelContext const& kernel_context();

}  // namespace lockstep::term_rewriting
