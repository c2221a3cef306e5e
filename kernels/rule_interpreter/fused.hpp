#pragma once
// Rules fused per instance (fused.cu says why this is exact).

#include "common/rule_interpreter/program.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned fused_block = 256;              // threads per block at most
inline constexpr unsigned over_states_block = 128;        // the same where a thread has several states
inline constexpr unsigned fused_values = 4;               // instances per thread, unless the job is small
inline constexpr unsigned long long small_job = 1 << 18;  // instances, below which each gets its own thread

// True if a rule loads and stores only words of its own instance.
template <class Rule>
inline constexpr bool own_instance = requires {
    requires Rule::own_instance;
};

// True if the words of instance i are word i of each column, so that they fit in registers.
template <class Rule>
inline constexpr bool one_word_per_column = requires {
    requires Rule::one_word_per_column;
};

template <class... Rules>
__device__ inline unsigned longest_range(Parameters const& p) {
    unsigned longest = 0;
    ((longest = Rules::range(p) > longest ? Rules::range(p) : longest), ...);
    return longest;
}

// Accessor of one instance: its word of each column in registers.
template <class S, unsigned loaded>
class InstanceWords {
public:
    __device__ InstanceWords(S const& state, unsigned i, bool present) : state_(state) {
#pragma unroll
        for (unsigned column = 0; column < max_columns; ++column)
            words_[column] = present && (loaded >> column & 1) != 0 ? state.get(column, i) : 0;
    }

    __device__ unsigned get(unsigned column, unsigned) const { return words_[column]; }
    __device__ void set(unsigned column, unsigned, unsigned word) {
        words_[column] = word;
        changed_ |= 1u << column;
    }
    __device__ Parameters const& parameters() const { return state_.parameters(); }
    __device__ unsigned number() const { return state_.number(); }

    // Stores the words that a rule has set.
    __device__ void store(unsigned i) {
#pragma unroll
        for (unsigned column = 0; column < max_columns; ++column) {
            if ((changed_ >> column & 1) != 0)
                state_.set(column, i, words_[column]);
        }
    }

private:
    S state_;
    unsigned words_[max_columns];
    unsigned changed_ = 0;
};

// Applies one rule to instance i. All lanes of the warp must call it.
template <class Rule, class S>
__device__ inline void apply_to_instance(Parameters const& p, S& state, unsigned i, bool present) {
    bool const enabled = present && i < Rule::range(p) && Rule::condition(state, i);
    evaluate_enabled<Rule>(p, enabled, state, i);
}

// Applies the rules of all passes to one instance, with its words in registers if they fit.
template <class S, class... Rules>
__device__ inline void apply_all(Parameters const& p, S& state, unsigned i, bool present) {
    if constexpr ((one_word_per_column<Rules> && ...)) {
        InstanceWords<S, (Rules::loaded_columns | ...)> words(state, i, present);
        for (unsigned pass = 0; pass < p.passes; ++pass)
            (apply_to_instance<Rules>(p, words, i, present), ...);
        words.store(i);
    } else {
        for (unsigned pass = 0; pass < p.passes; ++pass)
            (apply_to_instance<Rules>(p, state, i, present), ...);
    }
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
