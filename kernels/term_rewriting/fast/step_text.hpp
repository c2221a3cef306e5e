#pragma once
// The text of steps: a segment of a body, and an entry, which matches before it goes on with a body's first segment.

#include <string>
#include <vector>

#include "harness/jit/code_writer.hpp"
#include "kernels/term_rewriting/fast/generator.hpp"

namespace lockstep::term_rewriting::fast {

// `variables`: expressions, in segment 0. `fixed`: those of the fixed slots. `pc`: of the step.
void write_segment(jit::CodeWriter& code, Generator& generator, Body const& body, unsigned segment, unsigned pc,
                   std::vector<std::string> const& variables, std::vector<std::string> const& fixed);

// From a state of the symbol's matcher on. If `condition` is not 0, the rule of that state once so many of its
// conditions hold.
void write_entry(jit::CodeWriter& code, Generator& generator, SymbolId symbol, compiled::StateId state,
                 std::size_t condition, unsigned pc);

// Stores the words of a node, which are a multiple of four, in the granules from `node` on.
void write_words(jit::CodeWriter& code, std::string const& node, std::vector<std::string> const& words);

inline std::string number(std::size_t value) { return fmt::format("{}u", value); }
inline std::string step_name(unsigned pc) { return fmt::format("step_{}", pc); }

}  // namespace lockstep::term_rewriting::fast
