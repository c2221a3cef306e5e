#pragma once
// A rule base as a type, and the loop over its passes: rule after rule, side effects of one visible to the next.
//
// A team is the threads that go through the rules together, and how they share out the values: a thread, a warp or a
// block for one state (team.hpp), or a block for several (algorithm3.hpp, block_queue.hpp). It has
//
//   apply<Rule>(rule, activity)   looks at every value of every state of the team, evaluates the enabled ones
//   commit<Rule>()                moves deferred stores to their place
//   barrier()                     orders what was stored before what is loaded after
//   settle(pass, activity)        at the end of a pass: notes what changed; false where the team is done

#include "common/rule_interpreter/state.hpp"
#include "harness/bench/digest.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <bool to_fixed_point, class... Rules>
struct Program {
    static constexpr bool fixed_point = to_fixed_point;
};

// Whether a rule says what word its condition needs.
template <class Rule, class S>
inline constexpr bool looks_first = requires(S const& s) {
    Rule::holds(Rule::prefetch(s, 0));
};

// The word that instance i's condition needs, or whether it holds for a rule that does not say which that is.
template <class Rule, class S, class Index>
__device__ inline unsigned look_at(S const& state, Index i) {
    if constexpr (looks_first<Rule, S>)
        return Rule::prefetch(state, i);
    else
        return Rule::condition(state, static_cast<unsigned>(i)) ? 1 : 0;
}

// A word that does not hold.
template <class Rule, class S>
inline constexpr unsigned no_operand = [] {
    if constexpr (looks_first<Rule, S>)
        return Rule::nothing;
    else
        return 0u;
}();

template <class Rule, class S>
__device__ inline bool is_enabled(unsigned word) {
    if constexpr (looks_first<Rule, S>)
        return Rule::holds(word);
    else
        return word != 0;
}

// What a thread saw in a pass.
struct Activity {
    bool changed = false;
    unsigned long long signature = 0;  // a sum over the active (rule, instance): equal where the same are active

    __device__ void note_active(unsigned rule, unsigned i) {
        signature += bench::LOCKSTEP_MACHINE::mix(static_cast<unsigned long long>(rule) << 32 | i);
    }
};

template <class Rule, bool fixed_point, class Team>
__device__ inline void apply_rule(Team& team, unsigned rule, Activity& activity) {
    team.template apply<Rule, fixed_point>(rule, activity);
    team.barrier();
    if constexpr (Rule::deferred) {
        team.template commit<Rule>();
        team.barrier();
    }
}

template <class Team, bool fixed_point, class... Rules>
__device__ inline void run_program(Team& team, Parameters const& p, Program<fixed_point, Rules...>) {
    for (unsigned pass = 1; pass <= p.passes; ++pass) {
        Activity activity;
        unsigned rule = 0;
        (apply_rule<Rules, fixed_point>(team, rule++, activity), ...);
        if constexpr (fixed_point) {
            if (!team.end_pass(pass, activity))
                return;
        }
    }
}

// Counts what comes to an evaluation, where asked; then all lanes of the warp are there.
template <class S>
__device__ inline void count_evaluation(Parameters const& p, bool enabled, S const& state, unsigned i) {
    unsigned const lanes = __ballot_sync(full_warp, enabled);
    if (lane_id() == 0) {
        atomicAdd(&p.statistics[lanes_enabled], static_cast<unsigned long long>(__popc(lanes)));
        atomicAdd(&p.statistics[warps_evaluating], lanes != 0 ? 1ull : 0ull);
        atomicAdd(&p.statistics[warps_passing], 1ull);
    }
    if (enabled && p.counts != nullptr)
        atomicAdd(&p.counts[state.number() * p.range[0] + i], 1u);
}

// Evaluates instance i on the lanes where `enabled` holds: the place where lanes diverge. `looked` is what the rule's
// condition saw, for a rule that takes it, else nothing. False where nothing changed.
template <class Rule, class S, class... Operand>
__device__ inline bool evaluate_enabled(Parameters const& p, bool enabled, S& state, unsigned i, Operand... operand) {
    if (p.counting != 0)
        count_evaluation(p, enabled, state, i);
    if (!enabled)
        return false;
    if constexpr (Rule::deferred) {
        Deferring<S, Rule::deferred_column> deferring(state);
        return Rule::evaluate(deferring, i);
    } else {
        return Rule::evaluate(state, i, operand...);
    }
}

// Moves one deferred store to its place.
template <class Rule, class S>
__device__ inline void commit_instance(S& state, unsigned i) {
    unsigned const word = state.get(Rule::deferred_column, i);
    if (word == Rule::nothing_deferred)
        return;
    state.set(Rule::written_column, i, word);
    state.set(Rule::deferred_column, i, Rule::nothing_deferred);
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
