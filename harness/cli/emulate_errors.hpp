#pragma once
// What the C++ compiler says about a translated CUDA program, as one line for its author.

#include "harness/bench/error.hpp"
#include "harness/jit/compile_error.hpp"

namespace lockstep::cli {

// A feature that is refused, with its file and line, if the compiler met one; else the compiler's first error.
bench::Error emulate_error(jit::CompileError const& error);

}  // namespace lockstep::cli
