#pragma once
// The text of steps: a segment of a body, and an entry, which matches before it goes on with a body's first segment.

#include <string>
#include <vector>

#include "kernels/term_rewriting/fast/generator.hpp"

namespace lockstep::term_rewriting::fast {

// `variables`: expressions, in segment 0. `fixed`: those of the fixed slots. `pc`: of the step.
std::string segment_text(Generator& generator, Body const& body, unsigned segment, unsigned pc,
                         std::string const& indent, std::vector<std::string> const& variables,
                         std::vector<std::string> const& fixed);

// From a state of the symbol's matcher on; where `condition` is not 0, the rule of that state once so many of its
// conditions hold.
std::string entry_text(Generator& generator, SymbolId symbol, compiled::StateId state, std::size_t condition,
                       unsigned pc);

inline std::string number(std::size_t value) { return std::to_string(value) + "u"; }
inline std::string step_name(unsigned pc) { return "step_" + std::to_string(pc); }

}  // namespace lockstep::term_rewriting::fast
