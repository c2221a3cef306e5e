#pragma once
// Matching compiled to decision trees (L. Maranget, "Compiling pattern matching to good decision trees", ML Workshop
// 2008): the rules of one symbol become states that each test one position of the term, so that no position is tested
// twice. Rules keep their priority. Equal states are one state, so the tree is a graph.

#include <cstdint>
#include <utility>
#include <vector>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting::compiled {

using StateId = std::uint32_t;
using PositionId =
    std::uint32_t;  // a position in the term: the first `arity` ones are the symbol's arguments, in order

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
    std::vector<PositionId> variables;  // where each of the rule's variables stands
    // branch
    PositionId position = 0;
    std::vector<std::pair<SymbolId, StateId>> cases;
    // branch: where no case fits. apply: where a condition fails; that state starts again from the arguments.
    StateId otherwise = 0;
};

struct Matcher {
    std::vector<TermPosition> positions;
    std::vector<State> states;
    StateId start = 0;
};

// States reached more often than `max_states` allows are not merged any further: then the rules are tried in order,
// which needs no more states than the left sides have symbols.
Matcher compile_matcher(System const& system, SymbolId symbol, std::size_t max_states = 4096);

}  // namespace lockstep::term_rewriting::compiled
