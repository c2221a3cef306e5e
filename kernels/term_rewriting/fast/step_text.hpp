#pragma once
// Writes the text of steps: a segment of a body, or an entry, which matches and then continues with the first segment
// of a body.

#include <functional>
#include <string>
#include <vector>

#include "harness/jit/code_writer.hpp"
#include "kernels/term_rewriting/fast/generator.hpp"

namespace lockstep::term_rewriting::fast {

// How a step continues with a call of its own symbol: at the label `again`, which reads the registers, or at `next`,
// where the nodes of the arguments are read already.
struct Loop {
    unsigned pc;
    std::vector<unsigned> loaded;  // the arguments whose nodes are read at the start of the step
};

// `variables`: expressions for the variables, in segment 0. `fixed`: expressions for the fixed slots. `pc`: program
// counter of the step.
void write_segment(jit::CodeWriter& code, Generator& generator, Body const& body, unsigned segment, unsigned pc,
                   std::vector<std::string> const& variables, std::vector<std::string> const& fixed,
                   Loop const* loop = nullptr);

// Writes the step of a rule that walks along a list, and adds the steps of its elements.
void write_walk(jit::CodeWriter& code, Body const& body, std::vector<std::string> const& variables, Loop const* loop);
void write_walk_steps(Generator& generator, Walk const& walk,
                      std::function<void(unsigned, std::string const&)> const& add);

// Writes the entry that starts at a state of the symbol's matcher. If `condition` is not 0, it continues the rule of
// that state after its first `condition` conditions hold.
void write_entry(jit::CodeWriter& code, Generator& generator, SymbolId symbol, compiled::StateId state,
                 std::size_t condition, unsigned pc);

// Stores the words of a node, which are a multiple of four, in the granules from `node` on.
void write_words(jit::CodeWriter& code, std::string const& node, std::vector<std::string> const& words);

inline std::string number(std::size_t value) { return fmt::format("{}u", value); }
inline std::string step_name(unsigned pc) { return fmt::format("step_{}", pc); }

}  // namespace lockstep::term_rewriting::fast
