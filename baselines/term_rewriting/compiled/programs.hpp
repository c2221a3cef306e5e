#pragma once
// Loads generated C++ as a callable program: a program compiled with this build, or a shared object built with the
// machine's C++ compiler (harness/jit/shared_object.hpp).

#include <memory>
#include <string>

#include "baselines/term_rewriting/compiled/abi.hpp"
#include "harness/jit/background_compile.hpp"
#include "harness/jit/context.hpp"

namespace lockstep::term_rewriting::compiled {

// Programs stay loaded. Throws bench::Error if there is no compiler or if it rejects the text.
Program const& load_program(std::string const& text);

// Lets the compiler work in the background, if load_program() needs it: a null pointer if not. Throws bench::Error if
// the cache is not usable.
std::shared_ptr<jit::BackgroundCompile> compile_program_in_background(std::string const& text);

// A program compiled with this build.
struct BuiltIn {
    unsigned long long digest;  // jit::text_digest() of its text
    Program const* (*program)();
};
BuiltIn const* built_in_programs(unsigned long long& count);

// The context for harness/jit to compile the C++ of term rewriting.
jit::CompileContext const& compile_context();

}  // namespace lockstep::term_rewriting::compiled
