#pragma once
// Compiles a translated CUDA program (harness/simt/emulate) into a shared object with the machine's C++ compiler, with
// a cache. The object uses the emulator, the runtime API and the access checks of this program.

#include <string>
#include <vector>

#include "harness/jit/context.hpp"
#include "harness/simt/emulate/translate.hpp"

namespace lockstep::jit {

struct ForeignOptions {
    std::vector<std::string> compiler;   // such as -DN=4
    std::vector<std::string> libraries;  // such as -lm
    bool checks = true;                  // instrument accesses to memory, for hooks::Checks
    bool counters = false;               // trace basic blocks as well
    unsigned timeout_seconds = 0;        // of all compilations together; 0: none
};

// True if this build has the access checks. Those with another sanitizer have not.
bool has_access_checks();

// Returns the path of the shared object. Throws bench::Error if there is no compiler or it needs more time, and
// CompileError, with all that the compiler printed, if it rejects the text.
std::string foreign_program(std::vector<simt::emulate::TranslatedFile> const& files, ForeignOptions const& options,
                            CompileContext const& context);

}  // namespace lockstep::jit
