#pragma once
// A rule base as a type, and the loop over its passes. Rules run one after another, and each sees the side effects of
// the rules before it.
//
// A team is a set of threads that go through the rules together: a thread, a warp or a block for one state (team.hpp),
// or a block for several states (algorithm3.hpp, block_queue.cu). The team decides which thread takes which values. It
// has
//
//   apply<Rule>(rule, activity)   tests every value of every state of the team and evaluates the enabled ones
//   commit<Rule>()                copies deferred stores to their columns
//   barrier()                     orders stores before it and loads after it
//   begin()                       Until::cycle: signs the state before the first pass
//   end_pass(pass, activity)      records what changed; false when the team is done

#include "common/rule_interpreter/state.hpp"
#include "harness/bench/digest.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <bool to_fixed_point, class... Rules>
struct Program {
    static constexpr bool fixed_point = to_fixed_point;
};

// A rule whose condition is that one word, `prefetch(state, i)`, is not 0. Kernels can load that word before they
// evaluate other instances, and hand it to `evaluate`.
template <class Rule, class S>
concept Prefetching = requires(S const& state) {
    Rule::prefetch(state, 0);
};

// The operand of instance i: the prefetched word, or whether the condition holds. Instance i is enabled if the operand
// is not 0.
template <class Rule, class S, class Index>
__device__ inline unsigned load_operand(S const& state, Index i) {
    if constexpr (Prefetching<Rule, S>)
        return Rule::prefetch(state, i);
    else
        return Rule::condition(state, static_cast<unsigned>(i)) ? 1 : 0;
}

// What one thread observed in a pass.
struct Activity {
    bool changed = false;
    unsigned long long signature = 0;  // sum over the active (rule, instance) pairs: equal if the same are active

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
    if constexpr (fixed_point) {
        if (p.until == Until::cycle)
            team.begin();
    }
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

// Counts the enabled lanes of an evaluation. All lanes of the warp must call it.
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

// Evaluates instance i on the lanes with `enabled` set; here lanes diverge. `operand` is the result of load_operand,
// for callers that have loaded it. Returns false if nothing changed.
template <class Rule, class S, class... Operand>
__device__ inline bool evaluate_enabled(Parameters const& p, bool enabled, S& state, unsigned i, Operand... operand) {
    if (p.counting != 0)
        count_evaluation(p, enabled, state, i);
    if (!enabled)
        return false;
    if constexpr (Rule::deferred) {
        Deferring<S, Rule::deferred_column> deferring(state);
        return Rule::evaluate(deferring, i);
    } else if constexpr (Prefetching<Rule, S>) {
        return Rule::evaluate(state, i, operand...);
    } else {
        return Rule::evaluate(state, i);
    }
}

// Copies one deferred store to its column.
template <class Rule, class S>
__device__ inline void commit_instance(S& state, unsigned i) {
    unsigned const word = state.get(Rule::deferred_column, i);
    if (word == Rule::nothing_deferred)
        return;
    state.set(Rule::written_column, i, word);
    state.set(Rule::deferred_column, i, Rule::nothing_deferred);
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
