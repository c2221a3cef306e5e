#pragma once
// Compiles C++ text into a shared object with the machine's C++ compiler, with a cache.

#include <string>
#include <vector>

#include "harness/jit/context.hpp"

namespace lockstep::jit {

// Returns the path of a shared object compiled from `text` with these options. The compiler runs unless the object is
// in the cache and unchanged. Throws bench::Error if there is no compiler, and CompileError if it rejects the text.
std::string shared_object(std::string const& text, std::vector<std::string> const& options,
                          CompileContext const& context);

// Returns the path of the cache's entry for that object, without a suffix.
std::string entry_of_object(std::string const& text, std::vector<std::string> const& options,
                            CompileContext const& context);

// Writes `text` to text.cpp in this folder of the cache. Returns the command that compiles it into text.so there. Equal
// texts give equal objects: the path of the folder is not in them.
std::vector<std::string> object_command(std::string const& text, std::vector<std::string> const& options,
                                        std::string const& folder);

// Returns the address of a symbol of the shared object, which stays loaded. If the object lacks the symbol, removes the
// object from the cache and throws bench::Error.
void* symbol_in(std::string const& shared_object, std::string const& symbol);

}  // namespace lockstep::jit
