#include "common/term_rewriting/compiler/decision_tree.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace lockstep::term_rewriting::compiled {

namespace {

// A rule that may still match, with the positions that remain to be tested, from left to right.
struct Row {
    RuleId rule;
    std::vector<std::pair<PositionId, TermId>> open;
};
using Rows = std::vector<Row>;

class MatcherCompiler {
public:
    MatcherCompiler(System const& system, SymbolId symbol, std::size_t max_states)
        : system_(system), max_states_(max_states) {
        for (std::uint32_t i = 0; i < system.arity(symbol); ++i)
            matcher_.positions.push_back({TermPosition::top, i});
        for (RuleId rule = 0; rule < system.rules.size(); ++rule) {
            if (system.terms.symbol(system.rules[rule].left) == symbol)
                rules_.push_back(rule);
        }
    }

    // Returns std::nullopt if there are too many states.
    std::optional<Matcher> run(bool in_order) {
        in_order_ = in_order;
        matcher_.start = state_of(all_rows(0));
        while (!unfinished_.empty()) {
            auto const [state, rows] = std::move(unfinished_.back());
            unfinished_.pop_back();
            fill(state, rows);
            if (!in_order && matcher_.states.size() > max_states_)
                return {};
        }
        return std::move(matcher_);
    }

private:
    Row row_of(RuleId rule) {
        Row row = {rule, {}};
        auto const arguments = system_.terms.arguments(system_.rules[rule].left);
        for (std::uint32_t i = 0; i < arguments.size(); ++i)
            open_position(row, i, arguments[i]);
        return row;
    }

    Rows all_rows(std::size_t first) {
        Rows rows;
        for (std::size_t i = first; i < rules_.size(); ++i)
            rows.push_back(row_of(rules_[i]));
        return rows;
    }

    void open_position(Row& row, PositionId position, TermId pattern) {
        if (!system_.terms.is_variable(pattern))
            row.open.emplace_back(position, pattern);
    }

    PositionId child(PositionId parent, std::uint32_t argument) {
        auto const [found, added] = children_.try_emplace({parent, argument}, matcher_.positions.size());
        if (added)
            matcher_.positions.push_back({parent, argument});
        return found->second;
    }

    // Returns the row after its pattern's symbol is found at `position`: the arguments of the pattern become open.
    Row opened(Row row, PositionId position) {
        auto const at =
            std::find_if(row.open.begin(), row.open.end(), [&](auto const& o) { return o.first == position; });
        if (at == row.open.end())
            return row;
        TermId const pattern = at->second;
        Row result = {row.rule, {row.open.begin(), at}};
        auto const arguments = system_.terms.arguments(pattern);
        for (std::uint32_t i = 0; i < arguments.size(); ++i)
            open_position(result, child(position, i), arguments[i]);
        result.open.insert(result.open.end(), at + 1, row.open.end());
        return result;
    }

    static std::optional<TermId> pattern_at(Row const& row, PositionId position) {
        for (auto const& [open, pattern] : row.open) {
            if (open == position)
                return pattern;
        }
        return {};
    }

    // Returns the open position of the first row that the most rows test; the leftmost one in a tie.
    PositionId choose(Rows const& rows) const {
        if (in_order_)
            return rows.front().open.front().first;
        PositionId best = 0;
        std::size_t max_count = 0;
        for (auto const& [position, pattern] : rows.front().open) {
            std::size_t count = 0;
            for (Row const& row : rows)
                count += pattern_at(row, position) ? 1 : 0;
            if (count > max_count) {
                max_count = count;
                best = position;
            }
        }
        return best;
    }

    StateId state_of(Rows rows) {
        // The open positions of a rule determine which positions were tested, so they identify the state.
        std::vector<std::uint32_t> key;
        for (Row const& row : rows) {
            key.push_back(row.rule);
            key.push_back(static_cast<std::uint32_t>(row.open.size()));
            for (auto const& open : row.open)
                key.push_back(open.first);
        }
        auto const [found, added] = known_.try_emplace(std::move(key), static_cast<StateId>(matcher_.states.size()));
        if (added) {
            matcher_.states.emplace_back();
            unfinished_.emplace_back(found->second, std::move(rows));
        }
        return found->second;
    }

    void fill(StateId id, Rows const& rows) {
        State state;
        if (rows.empty()) {
            state.kind = State::Kind::stuck;
        } else if (rows.front().open.empty()) {
            apply(state, rows.front().rule);
        } else {
            branch(state, rows);
        }
        matcher_.states[id] = std::move(state);
    }

    void apply(State& state, RuleId rule) {
        state.kind = State::Kind::apply;
        state.rule = rule;
        find_variables(state, system_.rules[rule].left);
        if (!system_.rules[rule].conditions.empty() || system_.rules[rule].operation != Operation::none) {
            auto const position = std::find(rules_.begin(), rules_.end(), rule) - rules_.begin();
            state.otherwise = state_of(all_rows(static_cast<std::size_t>(position) + 1));
        }
    }

    void find_variables(State& state, TermId left) {
        state.variables.resize(system_.rules[state.rule].variables.size());
        std::vector<std::pair<PositionId, TermId>> open;
        auto const arguments_of_left = system_.terms.arguments(left);
        for (std::uint32_t i = 0; i < arguments_of_left.size(); ++i)
            open.emplace_back(i, arguments_of_left[i]);
        while (!open.empty()) {
            auto const [position, pattern] = open.back();
            open.pop_back();
            if (system_.terms.is_variable(pattern)) {
                state.variables[system_.terms.variable_of(pattern)] = position;
                continue;
            }
            auto const arguments = system_.terms.arguments(pattern);
            for (std::uint32_t i = 0; i < arguments.size(); ++i)
                open.emplace_back(child(position, i), arguments[i]);
        }
    }

    void branch(State& state, Rows const& rows) {
        state.kind = State::Kind::branch;
        state.position = choose(rows);
        std::vector<SymbolId> symbols;
        for (Row const& row : rows) {
            if (auto const pattern = pattern_at(row, state.position)) {
                SymbolId const symbol = system_.terms.symbol(*pattern);
                if (std::find(symbols.begin(), symbols.end(), symbol) == symbols.end())
                    symbols.push_back(symbol);
            }
            if (in_order_)
                break;
        }
        for (SymbolId const symbol : symbols)
            state.cases.emplace_back(symbol, state_of(rows_with(rows, state.position, symbol)));
        Rows others;
        for (Row const& row : rows) {
            if (in_order_ ? &row != &rows.front() : !pattern_at(row, state.position))
                others.push_back(row);
        }
        state.otherwise = state_of(std::move(others));
    }

    Rows rows_with(Rows const& rows, PositionId position, SymbolId symbol) {
        Rows result;
        for (Row const& row : rows) {
            auto const pattern = pattern_at(row, position);
            if (in_order_ && &row != &rows.front())
                result.push_back(row);  // tests every position again
            else if (!pattern || system_.terms.symbol(*pattern) == symbol)
                result.push_back(opened(row, position));
        }
        return result;
    }

    System const& system_;
    std::size_t max_states_;
    bool in_order_ = false;
    std::vector<RuleId> rules_;
    Matcher matcher_;
    std::map<std::pair<PositionId, std::uint32_t>, PositionId> children_;
    std::map<std::vector<std::uint32_t>, StateId> known_;
    std::vector<std::pair<StateId, Rows>> unfinished_;
};

}  // namespace

Matcher compile_matcher(System const& system, SymbolId symbol, std::size_t max_states) {
    if (auto matcher = MatcherCompiler(system, symbol, max_states).run(false))
        return std::move(*matcher);
    return *MatcherCompiler(system, symbol, max_states).run(true);
}

}  // namespace lockstep::term_rewriting::compiled
