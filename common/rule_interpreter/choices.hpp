#pragma once
// What the axes `layout` and `until` choose, for host and device code alike.

namespace lockstep::rule_interpreter {

// Where the values of a state lie; layout.hpp has a type for each.
enum class LayoutName : unsigned { a, b, c, c_group };

// When a state is done. `steps`: after a fixed number of passes. `change`: a pass changed nothing. `activity`: the same
// values were active as in the pass before (the paper's test, section 3, which is weaker).
enum class Until : unsigned { steps, change, activity };

}  // namespace lockstep::rule_interpreter
