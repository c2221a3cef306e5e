#pragma once
// Decision trees as C-like text, for every target: a state is a switch over one symbol, or what the target does where a
// rule applies or none does. States that are reached twice get a label.

#include <string>
#include <vector>

#include "common/term_rewriting/compiler/decision_tree.hpp"

namespace lockstep::term_rewriting::compiled {

// The texts of one target language.
class TargetText {
public:
    virtual ~TargetText() = default;
    // Statement that loads the term at a position into `p<position>`; not for positions that are arguments.
    virtual std::string load(PositionId position, TermPosition const& from) const = 0;
    // Expression: the head symbol of `p<position>`.
    virtual std::string symbol(PositionId position) const = 0;
    // Statements that end the function, or go to label(state.otherwise).
    virtual std::string apply(StateId id, State const& state, std::string const& indent) = 0;
    virtual std::string stuck(std::string const& indent) = 0;
};

std::string label(StateId state);
std::string position_name(PositionId position);

// Statements that load the terms at these positions, starting from the arguments.
std::string load_positions(Matcher const& matcher, std::vector<PositionId> const& positions, TargetText const& target,
                           std::string const& indent);

std::string state_text(Matcher const& matcher, std::size_t arity, TargetText& target);

}  // namespace lockstep::term_rewriting::compiled
