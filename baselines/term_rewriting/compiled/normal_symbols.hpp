#pragma once
// The symbols that occur in normal forms. A defined symbol occurs in one only if some arguments in normal form match
// none of its rules. So a function whose patterns cover the constructors needs no code for that case, and a test
// between the two constructors of a sort is one comparison.

#include <vector>

#include "common/term_rewriting/compiler/decision_tree.hpp"
#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting::compiled {

class NormalSymbols {
public:
    explicit NormalSymbols(System const& system);

    bool occurs(SymbolId symbol) const { return normal_[symbol]; }
    // The symbols at the heads of the normal forms of a sort, without and with arguments.
    struct OfSort {
        std::vector<SymbolId> constants;
        std::vector<SymbolId> others;
    };
    // Precondition: the state is a branch.
    OfSort const& tested_by(State const& state) const;
    // Returns true if one of the cases of the branch always matches.
    bool is_exhaustive(State const& state) const;

    // The decision tree of a defined symbol, and the states of it that some arguments may reach.
    Matcher const& matcher(SymbolId symbol) const { return matchers_[symbol]; }
    std::vector<bool> reached(Matcher const& matcher) const;

private:
    void add(SymbolId symbol);
    bool may_be_stuck(SymbolId symbol) const;

    System const& system_;
    std::vector<Matcher> matchers_;  // per symbol
    std::vector<bool> normal_;       // per symbol
    std::vector<OfSort> sorts_;
};

}  // namespace lockstep::term_rewriting::compiled
