#pragma once
// The rewriting steps of the translator. `tokens` are those of the code or of one directive of the source; `scopes` is
// null in a directive, whose surroundings are those of each use of the macro.
//
// What cannot be translated becomes a name that no one declares, `lockstep_refused_<feature>`. So code that the
// preprocessor drops is not refused, and the compiler reports the line of code that it keeps.

#include <set>
#include <string>

#include "harness/simt/emulate/source.hpp"

namespace lockstep::simt::emulate {

void rewrite_launches(Source& source, std::vector<Token> const& tokens, Scopes const* scopes);

// `LOCKSTEP_KERNEL_ENTRY(bounds)` at the start of each kernel's body, with the arguments of its __launch_bounds__.
void rewrite_kernel_entries(Source& source, Scopes const& scopes);

// Casts of kernels to `void*`: what the runtime gets makes the kernel known. A name may also be that of a variable.
void rewrite_kernel_addresses(Source& source, std::vector<Token> const& tokens, std::set<std::string> const& kernels);
// Adds the names of the kernels that the source defines.
void add_kernel_names(Source const& source, Scopes const& scopes, std::set<std::string>& names);

void rewrite_shared_variables(Source& source, std::vector<Token> const& tokens, Scopes const* scopes);

// Variables with __constant__, __device__ or __managed__ outside of functions and classes. Those that another file
// declares `extern` keep their linkage. Each gets a declaration of its own, because guards go between them.
void rewrite_device_variables(Source& source, Scopes const& scopes, std::set<std::string> const& declared_extern);
// Adds the names of such variables that the source declares `extern`.
void add_extern_variables(Source const& source, Scopes const& scopes, std::set<std::string>& names);

// Adds the names of the macros that the source defines.
void add_macro_names(Source const& source, std::set<std::string>& names);

// Variables of the host, which kernels may not access. `macros` are those of the program.
void rewrite_host_variables(Source& source, Scopes const& scopes, std::set<std::string> const& macros);

// Calls of the runtime API whose result the program does not look at. `own_names` are not the API's: macros, and what
// add_own_api_names() adds.
void rewrite_discarded_calls(Source& source, std::vector<Token> const& tokens, Scopes const* scopes,
                             std::set<std::string> const& own_names);
// Adds the names of the API's calls that the source declares functions with.
void add_own_api_names(Source const& source, Scopes const& scopes, std::set<std::string>& names);

// `LOCKSTEP_LOOP(n)` before each `for` of device code, where n is that of `#pragma unroll n`. It asks the compiler to
// unroll the loop if counters are compared with those of a GPU, and is nothing otherwise.
void rewrite_loops(Source& source, Scopes const& scopes);

// `LOCKSTEP_CONSTANT(T) x = ...` for `T const x = ...` in device code, where T may be a class. It is no constant if
// counters are compared with those of a GPU (foreign.hpp).
void rewrite_local_constants(Source& source, Scopes const& scopes);

// Inline PTX, `new`, `malloc` and their counterparts in device code.
void rewrite_refused(Source& source, std::vector<Token> const& tokens, Scopes const* scopes);

// The declared names of one declaration without initializers, `float x[4], *y`, from its tokens in [begin, end).
struct Declaration {
    struct Name {
        std::size_t token;
        std::size_t end;  // behind the declarator; an initializer, if there is one, lies between `initializer` and it
        std::size_t initializer;
    };
    std::vector<Name> names;
};
Declaration declaration_of(std::vector<Token> const& tokens, std::size_t begin, std::size_t end);

}  // namespace lockstep::simt::emulate
