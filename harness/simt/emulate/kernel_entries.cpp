// What each kernel does first: it tells the launch which kernel it is, and how many threads its blocks may have.

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

// The arguments of __launch_bounds__ in one line, or nothing.
std::string launch_bounds(std::vector<Token> const& code, Function const& function) {
    std::size_t i = function.header;
    while (i < function.open && code[i].text != "__launch_bounds__") {
        ++i;
    }
    std::string arguments;
    if (i + 1 < function.open && code[i + 1].text == "(") {
        std::size_t const last = closing(code, i + 1);
        for (i += 2; i < last; ++i) {
            arguments += (arguments.empty() ? "" : " ") + std::string(code[i].text);
        }
    }
    return arguments;
}

}  // namespace

void rewrite_kernel_entries(Source& source, Scopes const& scopes) {
    for (Function const& function : scopes.functions) {
        if (function.is_kernel && function.close < source.code.size()) {
            std::size_t const begin = source.code[function.open].end;
            source.replace(begin, begin, " LOCKSTEP_KERNEL_ENTRY(" + launch_bounds(source.code, function) + ")");
        }
    }
}

}  // namespace lockstep::simt::emulate
