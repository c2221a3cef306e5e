#pragma once
// Generated C++ as a program that can be called: one that was compiled with this build, or a shared object that the
// system's C++ compiler makes (harness/jit/shared_object.hpp).

#include <string>

#include "baselines/term_rewriting/compiled/abi.hpp"
#include "harness/jit/context.hpp"

namespace lockstep::term_rewriting::compiled {

// Programs stay loaded. Throws bench::Error where there is no compiler, or it rejects the text.
Program const& load_program(std::string const& text);

// A program that was compiled with this build.
struct BuiltIn {
    unsigned long long digest;  // jit::text_digest() of its text
    Program const* (*program)();
};
BuiltIn const* built_in_programs(unsigned long long& count);

// What harness/jit needs to compile the C++ of term rewriting.
jit::CompileContext const& compile_context();

}  // namespace lockstep::term_rewriting::compiled
