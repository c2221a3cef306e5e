#pragma once
// Decision trees as C-like text, for every target: a state is a switch over one symbol, or what the target does where a
// rule applies or none does. States that are reached twice get a label.

#include <string>
#include <vector>

#include "common/term_rewriting/compiler/decision_tree.hpp"

namespace lockstep::term_rewriting::compiled {

// How a target says things.
class TargetText {
public:
    virtual ~TargetText() = default;
    // Statement that gives `p<place>` its term; only for places that are no arguments.
    virtual std::string load(PlaceId place, TermPlace const& from) const = 0;
    // Expression: the head symbol of `p<place>`.
    virtual std::string symbol(PlaceId place) const = 0;
    // Statements that end the function, or go to label(state.otherwise).
    virtual std::string apply(StateId id, State const& state, std::string const& indent) = 0;
    virtual std::string stuck(std::string const& indent) = 0;
};

std::string label(StateId state);
std::string place_name(PlaceId place);

// Statements that give the places their terms, starting from the arguments.
std::string load_places(Matcher const& matcher, std::vector<PlaceId> const& places, TargetText const& target,
                        std::string const& indent);

std::string state_text(Matcher const& matcher, std::size_t arity, TargetText& target);

}  // namespace lockstep::term_rewriting::compiled
