#pragma once
// Writes decision trees as C-like text, for every target. A state is a switch over one symbol, or the target's text for
// the cases that a rule applies or that no rule does. A state with two or more references gets a label.

#include <string>
#include <utility>
#include <vector>

#include "common/term_rewriting/compiler/decision_tree.hpp"
#include "harness/jit/code_writer.hpp"

namespace lockstep::term_rewriting::compiled {

// What a target writes for a state.
class TargetText {
public:
    virtual ~TargetText() = default;
    // Returns the statement that assigns the term to `p<position>`. Precondition: the position is not an argument.
    virtual std::string load(PositionId position, TermPosition const& from) const = 0;
    // Returns the expression for the head symbol of `p<position>`.
    virtual std::string symbol(PositionId position) const = 0;
    // As load(), of the term that a branch tests.
    virtual std::string load_tested(PositionId position, TermPosition const& from) const {
        return load(position, from);
    }
    // One switch of a branch.
    struct Switch {
        std::string condition;  // selects this switch; empty for the last one
        std::string symbol;     // the expression for the head symbol
        std::vector<std::pair<SymbolId, StateId>> cases;
        bool is_exhaustive = false;  // one of the cases always matches
    };
    // Returns the switches of a branch. The first one whose condition holds decides.
    virtual std::vector<Switch> switches(State const& state) const {
        return {{"", symbol(state.position), {state.cases.begin(), state.cases.end()}, false}};
    }
    // Writes statements that end the function. Returns true if they jump to label(state.otherwise) when a condition
    // fails.
    virtual bool apply(jit::CodeWriter& code, StateId id, State const& state) = 0;
    virtual void stuck(jit::CodeWriter& code) = 0;
};

std::string label(StateId state);
std::string position_name(PositionId position);

// Writes the statements that assign the terms of `positions`, starting from the arguments.
void write_loads(jit::CodeWriter& code, Matcher const& matcher, std::vector<PositionId> const& positions,
                 TargetText const& target);

// Writes the body of a function, which begins in the matcher's start state.
void write_states(jit::CodeWriter& code, Matcher const& matcher, std::size_t arity, TargetText& target);

}  // namespace lockstep::term_rewriting::compiled
