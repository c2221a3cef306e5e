#pragma once
// States in shared memory (the paper's future work, section 7): a warp or a block copies the columns of its state that
// the rules use, applies all rules in all passes there, and copies back the columns that they store to. Lanes of
// disabled values wait, as in Algorithm 2.
//
// Global memory per state: one load of each used column and one store of each stored column, for any number of rules
// and passes. Precondition: the used columns of a state fit into a block's shared memory.

#include "common/rule_interpreter/team.hpp"
#include "harness/simt/shared_words.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// Columns of a rule as a set of bits: those it uses, and those of them that it stores to. A rule that does not say uses
// and stores all.
template <class Rule>
inline constexpr unsigned columns_used = [] {
    if constexpr (requires { Rule::used_columns; })
        return Rule::used_columns;
    else
        return (1u << max_columns) - 1;
}();
template <class Rule>
inline constexpr unsigned columns_stored = [] {
    if constexpr (requires { Rule::stored_columns; })
        return Rule::stored_columns;
    else
        return (1u << max_columns) - 1;
}();

// The same for all rules of a program.
template <class Rules>
struct CachedColumns;
template <bool fixed_point, class... Rules>
struct CachedColumns<Program<fixed_point, Rules...>> {
    static constexpr unsigned used = (columns_used<Rules> | ...);
    static constexpr unsigned stored = (columns_stored<Rules> | ...);
};

// Position of a column among a state's words in shared memory. Programs with constant ranges specialise it.
template <class Rules>
struct CachedOffset {
    __device__ static unsigned of(Parameters const& p, unsigned column) {
        unsigned words = 0;
#pragma unroll
        for (unsigned before = 0; before < max_columns; ++before) {
            if (before < column && (CachedColumns<Rules>::used >> before & 1) != 0)
                words += p.range[before];
        }
        return words;
    }
};

// Accessor of a state in shared memory, whose words begin with word `first` after BlockSums.
template <class Rules>
class CachedState {
public:
    __device__ CachedState(Parameters const& p, unsigned number, unsigned first)
        : p_(p), words_(shared_words<unsigned>(sizeof(BlockSums))), first_(first), number_(number) {}

    __device__ unsigned get(unsigned column, unsigned i) const {
        return words_[first_ + CachedOffset<Rules>::of(p_, column) + i];
    }
    __device__ void set(unsigned column, unsigned i, unsigned word) {
        words_[first_ + CachedOffset<Rules>::of(p_, column) + i] = word;
    }
    __device__ unsigned words(unsigned column) const {
        return (CachedColumns<Rules>::used >> column & 1) != 0 ? p_.range[column] : 0;
    }
    __device__ Parameters const& parameters() const { return p_; }
    __device__ unsigned number() const { return number_; }

private:
    Parameters const& p_;
    SharedWords<unsigned> words_;
    unsigned first_;
    unsigned number_;
};

// Copies the words of a set of columns, with several loads of a lane under way.
template <class Width, unsigned columns, class From, class To>
__device__ inline void copy_columns(Parameters const& p, From const& from, To& to) {
#pragma unroll
    for (unsigned column = 0; column < max_columns; ++column) {
        if ((columns >> column & 1) == 0)
            continue;
#pragma unroll 4
        for (unsigned i = Width::rank(); i < p.range[column]; i += Width::size())
            to.set(column, i, from.get(column, i));
    }
}

// Interprets state `number` in shared memory. All lanes of the team call it.
template <class Width, class Layout, class Rules>
__device__ inline void run_cached(Parameters const& p, unsigned number, unsigned first_word) {
    State<Layout> state(p, number);
    CachedState<Rules> copy(p, number, first_word);
    copy_columns<Width, CachedColumns<Rules>::used>(p, state, copy);
    Width::barrier();
    Team<Width, CachedState<Rules>> team(p, copy);
    run_program(team, p, Rules());
    Width::barrier();
    copy_columns<Width, CachedColumns<Rules>::stored>(p, copy, state);
}

// Words of a state's used columns.
template <class Rules>
__device__ inline unsigned cached_words(Parameters const& p) {
    return CachedOffset<Rules>::of(p, max_columns);
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
