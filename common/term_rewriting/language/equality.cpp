#include "common/term_rewriting/language/equality.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::term_rewriting {

namespace {

class Equalities {
public:
    Equalities(System& system, Location const& location)
        : system_(system), location_(location), symbols_(system.symbols.size()), of_sort_(system.sorts.size()) {
        boolean_ = static_cast<SortId>(system.sorts.size());
        system.sorts.emplace_back("=(Bool)");
        true_ = add_symbol("=(true)", {});
        false_ = add_symbol("=(false)", {});
    }

    // The condition that two variables are equal.
    Condition condition(RepeatedVariable const& repeated) {
        Condition condition;
        condition.left =
            equal(repeated.sort, system_.terms.variable(repeated.first), system_.terms.variable(repeated.again));
        condition.right = constant(true_);
        condition.generated = true;
        return condition;
    }

    // Call last: the rules of every sort that was compared, and of the sorts of their arguments.
    void add_rules() {
        for (std::size_t next = 0; next < needed_.size(); ++next)  // grows
            add_rules_of(needed_[next]);
    }

private:
    struct Symbols {
        SymbolId equal = 0;
        SymbolId then = 0;
        bool declared = false;
    };

    SymbolId add_symbol(std::string name, std::vector<SortId> arguments) {
        return system_.add_symbol(Origin::internal, std::move(name), std::move(arguments), boolean_, location_);
    }

    Symbols const& symbols_of(SortId sort) {
        Symbols& of = of_sort_[sort];
        if (!of.declared) {
            std::string const name = "=(" + system_.sorts[sort];
            of = {add_symbol(name + ")", {sort, sort}), add_symbol(name + " then)", {boolean_, sort, sort}), true};
            system_.symbols[of.equal].defined = system_.symbols[of.then].defined = true;
            needed_.push_back(sort);
        }
        return of;
    }

    TermId applied(SymbolId symbol, std::vector<TermId> const& arguments) {
        return system_.terms.application(symbol, arguments);
    }
    TermId constant(SymbolId symbol) { return applied(symbol, {}); }
    TermId equal(SortId sort, TermId left, TermId right) { return applied(symbols_of(sort).equal, {left, right}); }
    TermId variable(std::size_t number) { return system_.terms.variable(static_cast<std::uint32_t>(number)); }

    void add_rule(TermId left, TermId right, std::size_t variables) {
        Rule rule;
        rule.left = left;
        rule.right = right;
        for (std::size_t i = 0; i < variables; ++i)
            rule.variables.push_back("_" + std::to_string(i));
        rule.location = location_;
        rule.origin = Origin::internal;
        system_.rules.push_back(std::move(rule));
    }

    void add_rules_of(SortId sort) {
        Symbols const of = of_sort_[sort];
        for (SymbolId symbol = 0; symbol < symbols_; ++symbol) {
            if (system_.symbols[symbol].result == sort)
                add_rule_of(of, symbol);
        }
        add_rule(applied(of.equal, {variable(0), variable(1)}), constant(false_), 2);
        TermId const both = equal(sort, variable(0), variable(1));
        add_rule(applied(of.then, {constant(true_), variable(0), variable(1)}), both, 2);
        add_rule(applied(of.then, {constant(false_), variable(0), variable(1)}), constant(false_), 2);
    }

    void add_rule_of(Symbols const& of, SymbolId symbol) {
        std::vector<SortId> const sorts = system_.symbols[symbol].arguments;
        std::vector<TermId> left;
        std::vector<TermId> right;
        for (std::size_t i = 0; i < sorts.size(); ++i)
            left.push_back(variable(i));
        for (std::size_t i = 0; i < sorts.size(); ++i)
            right.push_back(variable(sorts.size() + i));
        TermId const pair = applied(of.equal, {applied(symbol, left), applied(symbol, right)});
        TermId result = sorts.empty() ? constant(true_) : equal(sorts[0], left[0], right[0]);
        for (std::size_t i = 1; i < sorts.size(); ++i)
            result = applied(symbols_of(sorts[i]).then, {result, left[i], right[i]});
        add_rule(pair, result, 2 * sorts.size());
    }

    System& system_;
    Location location_;
    std::size_t symbols_;  // of the user
    std::vector<Symbols> of_sort_;
    std::vector<SortId> needed_;
    SortId boolean_ = 0;
    SymbolId true_ = 0;
    SymbolId false_ = 0;
};

}  // namespace

void add_equalities(System& system, std::vector<RepeatedVariable> const& repeated) {
    if (repeated.empty())
        return;
    Equalities equalities(system, system.rules[repeated.front().rule].location);
    std::vector<Condition> conditions;
    for (std::size_t i = 0; i < repeated.size(); ++i) {
        conditions.push_back(equalities.condition(repeated[i]));
        if (i + 1 < repeated.size() && repeated[i + 1].rule == repeated[i].rule)
            continue;
        std::vector<Condition>& of_rule = system.rules[repeated[i].rule].conditions;
        of_rule.insert(of_rule.begin(), conditions.begin(), conditions.end());
        conditions.clear();
    }
    equalities.add_rules();
}

}  // namespace lockstep::term_rewriting
