#pragma once
// Specification of what the rules of a rule file do to one state: rule after rule, one instance after another. Every
// column is compiled as a deferred one, so that a rule sees the state as it was before the rule, whatever the rule file
// declares. Two instances of a rule that set the same value are refused. The host's compiler reads it at run time.

#include "common/rule_interpreter/rule_file/language.hpp"

namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE {

template <class S, class... Rules>
struct SequentialProgram {
    static void run(Arguments const& a, u64 state) {
        for (unsigned pass = 1; pass <= a.passes; ++pass) {
            bool changed = false;
            (apply<Rules>(a, state, changed), ...);
            if (a.to_fixed_point != 0 && !changed)
                return;
            if (a.to_fixed_point != 0)
                a.last_change[state] = pass;
        }
    }

private:
    template <class Rule>
    static void apply(Arguments const& a, u64 state, bool& changed) {
        S s(a, state);
        S const& before = s;
        u32 const range = Rule::range(before);
        for (u32 i = 0; i < range; ++i) {
            a.writers->instance = a.writers->first + i;
            if (Rule::condition(before, i) && Rule::evaluate(s, i))
                changed = true;
        }
        a.writers->first += range;
        S::commit(a, state, 0, ~0ull, 1);
    }
};

}  // namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE
