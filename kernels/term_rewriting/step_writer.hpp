#pragma once
// The step of one symbol in the text of generate_cuda(), and the helper symbols of conditions.

#include <cstddef>
#include <vector>

#include "common/term_rewriting/language/system.hpp"
#include "harness/jit/code_writer.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"

namespace lockstep::term_rewriting {

// A rule's condition as a helper symbol.
struct Helper {
    SymbolId of;  // the symbol whose rule it is
    RuleId rule;
    std::size_t condition;
};

// All conditions of the system, in the order of the rules.
std::vector<Helper> helpers_of(System const& system);

// Writes the step of the symbol, then the steps of its rules' helpers. Each is a function rewrite_<symbol>(store,
// term), which rewrite_step() calls (generate_cuda.hpp).
void write_steps(jit::CodeWriter& code, System const& system, StepOptions const& options,
                 std::vector<Helper> const& helpers, SymbolId symbol);

}  // namespace lockstep::term_rewriting
