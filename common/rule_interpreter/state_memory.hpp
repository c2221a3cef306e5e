#pragma once
// States in the memory of a machine: filled by a kernel, and read back as results, in whatever layout. Here the layout
// is a run-time value: none of this is timed.

#include "common/rule_interpreter/initial_values.hpp"
#include "common/rule_interpreter/parameters.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::rule_interpreter {

// 32-bit words that a column of `range` words a state takes.
inline unsigned long long words_stored(LayoutName layout, unsigned long long states, unsigned states_per_group,
                                       unsigned long long range) {
    unsigned long long const whole_warps = simt::round_up(range, 32u);
    if (layout == LayoutName::c)
        return states * whole_warps;
    if (layout == LayoutName::c_group)
        return simt::round_up(states, states_per_group) * whole_warps;
    return states * range;
}

namespace emulator {

// Every word of a column: drawn values of states from `first_state` on.
void fill_values(Parameters const& p, LayoutName layout, unsigned column, ValueDraw const& draw,
                 unsigned long long first_state);
// Every word of a column: the same word.
void fill_words(Parameters const& p, LayoutName layout, unsigned column, unsigned word);
// From rows of `range` words a state to a column, and back.
void scatter_rows(Parameters const& p, LayoutName layout, unsigned column, unsigned const* rows);
void gather_rows(Parameters const& p, LayoutName layout, unsigned column, unsigned* rows);
// Of each state's words of `column`: the sum of hash(i, word), low and high, and how many are not `unset`. 3 words.
void summarise(Parameters const& p, LayoutName layout, unsigned column, unsigned unset, unsigned* summaries);
// How many values of `column` were not evaluated as often as they are enabled: once a pass where not 0, else never.
unsigned long long wrong_counts(Parameters const& p, LayoutName layout, unsigned column);

}  // namespace emulator

namespace cuda {

void fill_values(Parameters const& p, LayoutName layout, unsigned column, ValueDraw const& draw,
                 unsigned long long first_state);
void fill_words(Parameters const& p, LayoutName layout, unsigned column, unsigned word);
void scatter_rows(Parameters const& p, LayoutName layout, unsigned column, unsigned const* rows);
void gather_rows(Parameters const& p, LayoutName layout, unsigned column, unsigned* rows);
void summarise(Parameters const& p, LayoutName layout, unsigned column, unsigned unset, unsigned* summaries);
unsigned long long wrong_counts(Parameters const& p, LayoutName layout, unsigned column);

}  // namespace cuda

}  // namespace lockstep::rule_interpreter
