#pragma once
// Values of the axes `layout` and `until`, for host and device code.

namespace lockstep::rule_interpreter {

// Memory layout of a state's values; layout.hpp has a type for each.
enum class LayoutName : unsigned { a, b, c, c_group, c_divided };

// Condition that ends a state. `steps`: after a fixed number of passes. `change`: after a pass that changes nothing.
// `activity`: after a pass with the same active values as the previous one (the paper's test, section 3, which is
// weaker). `cycle`: after a pass that returns to the state of one of the last max_period passes.
enum class Until : unsigned { steps, change, activity, cycle };

// Longest oscillation that `cycle` detects, in passes.
inline constexpr unsigned max_period = 8;

}  // namespace lockstep::rule_interpreter
