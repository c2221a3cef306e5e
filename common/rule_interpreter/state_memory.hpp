#pragma once
// States in a machine's memory in any layout: kernels fill them and gather results. The layout is a run-time value
// here, because none of this is timed.

#include "common/rule_interpreter/initial_values.hpp"
#include "common/rule_interpreter/parameters.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::rule_interpreter {

// Number of 32-bit words in a column of `range` words per state.
inline unsigned long long words_stored(LayoutName layout, unsigned long long states, unsigned states_per_group,
                                       unsigned long long range) {
    unsigned long long const padded = simt::round_up(range, 32u);
    if (layout == LayoutName::c || layout == LayoutName::c_divided)
        return states * padded;
    if (layout == LayoutName::c_group)
        return simt::round_up(states, states_per_group) * padded;
    return states * range;
}

namespace emulator {

// Fills a column with drawn values, for states from `first_state` on.
void fill_values(Parameters const& p, LayoutName layout, unsigned column, ValueDraw const& draw,
                 unsigned long long first_state);
// Fills a column with one word.
void fill_words(Parameters const& p, LayoutName layout, unsigned column, unsigned word);
// Copies rows of `range` words per state to a column, and back.
void scatter_rows(Parameters const& p, LayoutName layout, unsigned column, unsigned const* rows);
void gather_rows(Parameters const& p, LayoutName layout, unsigned column, unsigned* rows);
// Summarises each state's words of `column` in 3 words: the sum of hash(i, word), low and high, and the number of words
// that differ from `unset`.
void summarise(Parameters const& p, LayoutName layout, unsigned column, unsigned unset, unsigned* summaries);
// Number of values of `column` with a wrong number of evaluations: correct is one per pass if the value is not 0, else
// none.
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
