#pragma once
// Left sides that repeat a variable, such as f(x, x). Section 2 of the paper assumes left-linear rules and notes that
// others can be rewritten. That is done here, before any engine sees the system: the second x becomes a variable of its
// own, and the rule gets a condition in front of the user's, which says that the two have the same normal form:
//     f(x, x) -> r if c        becomes        f(x, x') -> r if eq(x, x') -><- true and c
// The equality eq of a sort is generated as rules, so every engine has it and counts it. For each symbol c of the sort:
//     eq(c(x1, ..., xk), c(y1, ..., yk)) -> then(... then(eq(x1, y1), x2, y2) ..., xk, yk)
// and last eq(x, y) -> false. `then` compares only if the arguments to the left are equal:
//     then(true, x, y) -> eq(x, y)        then(false, x, y) -> false
// Defined symbols are among the c, because a term that no rule matches is a normal form. The generated names contain
// parentheses, so no language can write them.

#include <vector>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

struct RepeatedVariable {
    RuleId rule;
    std::uint32_t first;  // number of the variable at its first occurrence
    std::uint32_t again;  // and at this one
    SortId sort;
};

// Adds the conditions, and the equalities that they need. Precondition: the variables are those of each rule's left
// side, in order.
void add_equalities(System& system, std::vector<RepeatedVariable> const& repeated);

}  // namespace lockstep::term_rewriting
