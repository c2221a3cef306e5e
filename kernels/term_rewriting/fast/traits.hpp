#pragma once
// What the rules of a system say of how its terms are evaluated. general_options() follows from it.

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting::fast {

struct Traits {
    // A rule makes at least two calls that lead back to its symbol and need no other call's value, so that the number
    // of calls can double from step to step.
    bool tree_recursion = false;
    // A call or a condition needs the value of another call. Otherwise, values only become arguments of constructors.
    bool nested_calls = false;
    // A rule walks along a list (walk.hpp).
    bool walks = false;
};

Traits traits_of(System const& system);

}  // namespace lockstep::term_rewriting::fast
