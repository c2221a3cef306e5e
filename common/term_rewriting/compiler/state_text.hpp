#pragma once
// Decision trees as C-like text, for every target. A state is a switch over one symbol, or what the target does where a
// rule applies or none does. A state that is reached twice gets a label.

#include <string>
#include <vector>

#include "common/term_rewriting/compiler/decision_tree.hpp"
#include "harness/jit/code_writer.hpp"

namespace lockstep::term_rewriting::compiled {

// What a target writes for a state.
class TargetText {
public:
    virtual ~TargetText() = default;
    // The statement that gives `p<position>` its term. Only for positions that are not arguments.
    virtual std::string load(PositionId position, TermPosition const& from) const = 0;
    // The expression of the head symbol of `p<position>`.
    virtual std::string symbol(PositionId position) const = 0;
    // Statements that end the function. Returns true if they go to label(state.otherwise) where a condition fails.
    virtual bool apply(jit::CodeWriter& code, StateId id, State const& state) = 0;
    virtual void stuck(jit::CodeWriter& code) = 0;
};

std::string label(StateId state);
std::string position_name(PositionId position);

// Statements that give the positions their terms, starting from the arguments.
void write_loads(jit::CodeWriter& code, Matcher const& matcher, std::vector<PositionId> const& positions,
                 TargetText const& target);

// The body of a function, from the matcher's start on.
void write_states(jit::CodeWriter& code, Matcher const& matcher, std::size_t arity, TargetText& target);

}  // namespace lockstep::term_rewriting::compiled
