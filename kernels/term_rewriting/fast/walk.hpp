#pragma once
// Rules that walk along a list: f(c(x, l)) -> c(g(x), f(l)). The lane makes the node c before its values are known and
// goes on with f(l) at once. It keeps one frame per element that it passes, with the node and what g(x) needs. Other
// lanes can take any number of these elements in one round, because the value of each goes to its node and not to a
// frame. So the walk as a whole needs one cell, whose counter says how many elements still have no value.
//
// An element's frame has the node, the inputs of the element's call, and a top word. Its program counter is, in this
// order: `waits` until the rest of the list is known, `begins` while others can take the element, and `stores` while
// its call is evaluated. A task that is an element starts at `starts`, with the frame's terms in registers. Below the
// first element is a frame of two words, which gives the walk's first node in the end (`ends`).

#include <optional>
#include <vector>

#include "kernels/term_rewriting/fast/call_graph.hpp"
#include "kernels/term_rewriting/fast/plan.hpp"

namespace lockstep::term_rewriting::fast {

struct Walk {
    PlanTerms terms;
    unsigned rest = 0;             // the call that continues; the root's last argument
    unsigned element = 0;          // the other call
    unsigned argument = 0;         // number of the root's argument that gets the element's value
    std::vector<unsigned> inputs;  // nodes that the element's call needs, without constants
    unsigned entry = 0;            // program counter of the rule's symbol
    unsigned waits = 0;
    unsigned begins = 0;
    unsigned stores = 0;
    unsigned starts = 0;
    unsigned ends = 0;

    unsigned root() const { return terms.roots[0]; }
    unsigned words() const { return static_cast<unsigned>(inputs.size()) + 2; }
};
constexpr unsigned walk_end_words = 2;

// For each node: whether it needs the value of a call, itself included.
std::vector<bool> nodes_with_calls(PlanTerms const& terms);

// Returns the call that a lane makes itself, before others of its group, in a right side of a rule of `symbol`: one
// that continues a walk along a list or through candidates, as the last argument of the root. The lane is at the next
// element after one turn, and the other calls are what it leaves behind for others. In a tree, where other calls of the
// group walk too, the order stays.
std::optional<unsigned> find_rest(PlanTerms const& terms, SymbolId symbol, CallGraph& calls);

// Returns the walk that the call `rest` continues, if the root is a constructor that needs it and one other call, and
// nothing else needs either of them. An element's frame without the top word has at most `max_terms` words.
std::optional<Walk> find_walk(PlanTerms const& terms, unsigned rest, unsigned max_terms);

}  // namespace lockstep::term_rewriting::fast
