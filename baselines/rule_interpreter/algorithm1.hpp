#pragma once
// Algorithm 1 (section 3): one block per state, whose threads take the values of one rule in turn; one launch per rule.
//
// What diverges: lanes whose value is disabled wait for those of their warp that evaluate (team.hpp). Bytes and
// operations: those of the rule. On the way to a fixed point, each thread also loads a word, and two atomics follow if
// it has changed something. The commit loads 4 bytes per value, and stores 8 per deferred store.
//
// Preconditions: a block per state, and `rule`, `pass` and `any_change` as rule_by_rule.hpp sets them. The test for a
// fixed point is Until::change.

#include "common/rule_interpreter/team.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <class Layout, class Rule, bool fixed_point>
__global__ void algorithm1(__grid_constant__ Parameters const p) {
    unsigned const number = block_rank();
    // The state is done if the previous pass did not change it.
    if (fixed_point && load_acquire(&p.last_change[number]) + 1 < p.pass)
        return;
    Team<BlockWidth, State<Layout>> team(p, State<Layout>(p, number));
    Activity activity;
    team.template apply<Rule, fixed_point>(p.rule, activity);
    if (activity.changed) {
        atomicMax(&p.last_change[number], p.pass);
        atomicMax(p.any_change, p.pass);
    }
}

// Commits the deferred stores of a rule.
template <class Layout, class Rule>
__global__ void algorithm1_commit(__grid_constant__ Parameters const p) {
    Team<BlockWidth, State<Layout>> team(p, State<Layout>(p, block_rank()));
    team.template commit<Rule>();
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
