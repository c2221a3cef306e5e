#pragma once
// Rules of a rule file as plain loops on the CPU, in pieces that the program's threads share: the states, or the
// instances of a rule where there are fewer states than threads. The host's compiler reads it at run time.

#include "common/rule_interpreter/rule_file/language.hpp"

namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE {

template <class S, class... Rules>
struct LoopProgram {
    static constexpr unsigned rules = sizeof...(Rules);

    // Of this rule only: the ranges of later ones may need what the rules before them set.
    static u64 range(Arguments const& a, u64 state, unsigned rule) {
        using Range = u64 (*)(Arguments const&, u64);
        static constexpr Range all[] = {range_of<Rules>...};
        return all[rule](a, state);
    }

    // Applies a rule to instances first .. end - 1. Returns 1 if one changed something, plus 2 if stores wait.
    static unsigned apply(Arguments const& a, u64 state, unsigned rule, u64 first, u64 end) {
        using Apply = unsigned (*)(Arguments const&, u64, u64, u64);
        static constexpr Apply all[] = {apply_rule<Rules>...};
        return all[rule](a, state, first, end);
    }

    static void run(Arguments const& a, u64 state) {
        for (unsigned pass = 1; pass <= a.passes; ++pass) {
            unsigned seen = 0;
            for (unsigned rule = 0; rule < rules; ++rule) {
                unsigned const found = apply(a, state, rule, 0, range(a, state, rule));
                if ((found & 2) != 0)
                    S::commit(a, state, 0, ~0ull, 1);
                seen |= found;
            }
            if (a.to_fixed_point == 0)
                continue;
            if ((seen & 1) == 0)
                return;
            a.last_change[state] = pass;
        }
    }

    static void initialise(Arguments const& a, u64 state, unsigned column, u64 first, u64 end) {
        for (u64 i = first; i < end; ++i)
            S::initialise(a, column, state, static_cast<u32>(i));
    }

private:
    template <class Rule>
    static u64 range_of(Arguments const& a, u64 state) {
        S const s(a, state);
        return Rule::range(s);
    }

    template <class Rule>
    static unsigned apply_rule(Arguments const& a, u64 state, u64 first, u64 end) {
        S s(a, state);
        S const& before = s;
        bool changed = false;
        for (u64 i = first; i < end; ++i) {
            if (Rule::condition(before, static_cast<u32>(i)))
                changed |= Rule::evaluate(s, static_cast<u32>(i));
        }
        return (changed ? 1u : 0u) + (s.written() ? 2u : 0u);
    }
};

}  // namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE
