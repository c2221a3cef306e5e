#pragma once
// Compiles matching to decision trees (L. Maranget, "Compiling pattern matching to good decision trees", ML Workshop
// 2008): the rules of one symbol become states that each test one position of the term, so that no position is tested
// twice. Rules keep their priority. Equal states are merged, so the tree is a graph.

#include <cstdint>
#include <utility>
#include <vector>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting::compiled {

using StateId = std::uint32_t;
using PositionId =
    std::uint32_t;  // a position in the term; the first `arity` positions are the symbol's arguments, in order

struct TermPosition {
    static constexpr PositionId top = ~PositionId{0};
    PositionId parent = top;
    std::uint32_t argument = 0;  // of the parent
};

struct State {
    enum class Kind { stuck, apply, branch };
    Kind kind = Kind::stuck;
    // apply
    RuleId rule = 0;
    std::vector<PositionId> variables;  // the position of each of the rule's variables
    // branch
    PositionId position = 0;
    std::vector<std::pair<SymbolId, StateId>> cases;
    // The next state. branch: if no case matches. apply: if a condition or the operation fails; that state restarts
    // from the arguments.
    StateId otherwise = 0;
};

struct Matcher {
    std::vector<TermPosition> positions;
    std::vector<State> states;
    StateId start = 0;
};

// If the decision tree needs more than `max_states` states, the matcher tries the rules in order instead. It then has
// at most as many states as the left sides have symbols.
Matcher compile_matcher(System const& system, SymbolId symbol, std::size_t max_states = 4096);

}  // namespace lockstep::term_rewriting::compiled
