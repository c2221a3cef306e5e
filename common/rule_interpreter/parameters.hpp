#pragma once
// Parameters of every kernel of rule_interpreter.
//
// A state has a few columns, each with `range` 32-bit words per state. Only the layout (layout.hpp) knows the location
// of word i of state s in a column.

#include "common/rule_interpreter/choices.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::rule_interpreter {

inline constexpr unsigned max_columns = 4;

struct Parameters {
    unsigned states = 0;
    unsigned states_per_group = 32;  // of Algorithm 3, and of layout C within a group
    unsigned* columns[max_columns] = {};
    unsigned range[max_columns] = {};  // words per state in a column

    unsigned load = 0;      // matrix products per evaluation
    unsigned accesses = 0;  // words that the rule `accesses` moves

    unsigned passes = 1;  // the number of passes, or the limit on the way to a fixed point
    Until until = Until::steps;
    unsigned* last_change = nullptr;  // per state: the last pass that changed it, or its activity, counted from 1

    unsigned warps_per_state = 1;  // of `queue`
    unsigned states_per_warp = 1;
    unsigned bypass_threshold = 32;  // enabled lanes per warp, on average, from which a tile bypasses the queue

    unsigned counting = 0;                     // nonzero: evaluations are counted
    unsigned* counts = nullptr;                // evaluations per value of column 0; may be null
    unsigned long long* statistics = nullptr;  // Statistic
    unsigned* any_change = nullptr;            // if each launch applies one rule: the last pass with a change
    unsigned rule = 0;
    unsigned pass = 0;

    unsigned warp_width = 32;  // of layout C_divided

    // Of Until::cycle: the hashes of a state after the last max_period passes, and per state the length of its
    // oscillation in passes. 1: a fixed point. 0: the passes ran out.
    unsigned long long* signatures = nullptr;
    unsigned* periods = nullptr;
};

// What each warp counts when it reaches an evaluation.
enum Statistic : unsigned { lanes_enabled, warps_evaluating, warps_passing, statistics_size };

}  // namespace lockstep::rule_interpreter

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
