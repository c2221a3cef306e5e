#pragma once
// What every kernel of rule_interpreter gets, and how a kernel sees the state that it works on.
//
// A state is a handful of columns, each of so many 32-bit words a state. Where word i of state s lies in a column is
// the layout's business alone (layout.hpp).

#include "harness/simt/kernel.hpp"

namespace lockstep::rule_interpreter {

inline constexpr unsigned max_columns = 4;

enum class Ending : unsigned { steps, change, activity };

struct Parameters {
    unsigned states = 0;
    unsigned states_per_group = 32;  // of Algorithm 3, and of layout C within a group
    unsigned* columns[max_columns] = {};
    unsigned range[max_columns] = {};  // words of a column, a state

    unsigned load = 0;      // matrix products an evaluation
    unsigned accesses = 0;  // words that the rule `accesses` moves

    unsigned passes = 1;  // of a fixed number of steps; the bound of a fixed point
    Ending ending = Ending::steps;
    unsigned* last_change = nullptr;  // a state: the last pass that changed it, from 1

    unsigned warps_per_state = 1;  // of the warp queue
    unsigned states_per_warp = 1;
    unsigned bypass_threshold = 32;  // enabled lanes, on average, from which on a look needs no queue

    unsigned counting = 0;                     // not 0: evaluations are counted
    unsigned* counts = nullptr;                // a value of column 0: how often it was evaluated; may be null
    unsigned long long* statistics = nullptr;  // Statistic
    unsigned* any_change = nullptr;            // where a launch applies one rule alone: the last pass with a change
    unsigned rule = 0;
    unsigned pass = 0;
};

// What is counted where a warp comes to an evaluation.
enum Statistic : unsigned { lanes_enabled, warps_evaluating, warps_passing, statistics_size };

}  // namespace lockstep::rule_interpreter

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
