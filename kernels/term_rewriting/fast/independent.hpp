#pragma once
// Makes independent parts of a right side independent calls. A plan groups calls by level: a group starts when all
// calls of the group before it have their values (plan.hpp). So in plus(try(safe(x)), place(y)), the call of `try`
// would wait for `place`, although it needs only the value of `safe`, and a search would visit its branches one after
// the other. Here try(safe(x)) becomes one call of a step of its own, which other lanes can take.

#include <functional>
#include <vector>

#include "kernels/term_rewriting/fast/plan.hpp"

namespace lockstep::term_rewriting::fast {

// A part of a right side: its own nodes, with a variable for each input, and the nodes that are the inputs.
struct Part {
    PlanTerms terms;
    std::vector<unsigned> inputs;
};

// Replaces each outermost call that would wait for a recursive call that it does not need, together with the calls in
// its arguments, by a call of a new symbol. `recurs(head)`: true if the call may be as much work as the whole right
// side. `add(part)` returns the new symbol. Parts with more than `max_inputs` inputs, or with a call that something
// outside needs too, stay as they are.
PlanTerms with_independent_parts(PlanTerms terms, unsigned max_inputs, std::function<bool(unsigned)> const& recurs,
                                 std::function<unsigned(Part)> const& add);

}  // namespace lockstep::term_rewriting::fast
