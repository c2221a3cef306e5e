#pragma once
// C++ text as a shared object that the system's C++ compiler makes, kept in the cache.

#include <string>
#include <vector>

#include "harness/jit/context.hpp"

namespace lockstep::jit {

// $CXX, else the compiler that built this program if it is still there, else c++.
std::string cpp_compiler();

// The path of a shared object made of `text` with these options of the C++ compiler, which runs unless the object is in
// the cache. Throws bench::Error where there is no compiler, or it rejects the text.
std::string shared_object(std::string const& text, std::vector<std::string> const& options,
                          CompileContext const& context);

// The address of a symbol of the shared object, which stays loaded. An object without it is removed from the cache, and
// bench::Error is thrown.
void* symbol_in(std::string const& shared_object, std::string const& symbol);

}  // namespace lockstep::jit
