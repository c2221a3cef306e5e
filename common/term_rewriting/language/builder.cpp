#include "common/term_rewriting/language/builder.hpp"

#include "harness/bench/nearest.hpp"

namespace lockstep::term_rewriting {

namespace {

// The generated code and its collector keep the number of arguments in 16 bits.
constexpr std::size_t max_arguments = 65535;

std::string at(Sources const& sources, Location const& location) {
    return sources.names()[location.file] + ":" + std::to_string(location.line) + ":" + std::to_string(location.column);
}

}  // namespace

Token const& TokenReader::take() {
    Token const& token = peek();
    if (at_ + 1 < tokens_.size())
        ++at_;
    return token;
}

bool TokenReader::skip(std::string_view sign) {
    if (!peek().is(sign))
        return false;
    take();
    return true;
}

Token const& TokenReader::expect(std::string_view sign) {
    if (!peek().is(sign))
        fail_expected(std::string(sign));
    return take();
}

Token const& TokenReader::expect_identifier(std::string const& what) {
    if (peek().kind != Token::Kind::identifier)
        fail_expected(what);
    return take();
}

void TokenReader::fail_expected(std::string const& what) const {
    throw sources_.error(peek().location, "cannot read this", "expected " + what + ", found " + describe(peek()));
}

Builder::Builder(Sources const& sources, System system) : sources_(sources), system_(std::move(system)) {
    for (SymbolId symbol = 0; symbol < system_.symbols.size(); ++symbol)
        symbol_ids_[system_.symbols[symbol].name] = symbol;
}

void Builder::check_new(Token const& name, std::string const& what) const {
    auto const refuse = [&](std::string const& as, Location const& location) {
        throw sources_.error(name.location, what + " " + std::string(name.text) + " is declared twice",
                             as + " stands at " + at(sources_, location), "Rename one of them.");
    };
    if (auto const found = symbol_ids_.find(std::string(name.text)); found != symbol_ids_.end())
        refuse("the symbol", system_.symbols[found->second].location);
    if (auto const found = variables_.find(std::string(name.text)); found != variables_.end())
        refuse("the variable", found->second.location);
}

void Builder::declare_sort(Token const& name) {
    if (has_sort(name.text))
        return;
    sort_ids_[std::string(name.text)] = static_cast<SortId>(system_.sorts.size());
    system_.sorts.emplace_back(name.text);
}

SortId Builder::sort(Token const& name) const {
    auto const found = sort_ids_.find(std::string(name.text));
    if (found == sort_ids_.end()) {
        throw sources_.error(name.location, "unknown sort " + std::string(name.text), "no such sort is declared",
                             bench::suggestion(name.text, system_.sorts));
    }
    return found->second;
}

void Builder::declare_symbol(Token const& name, std::vector<SortId> arguments, SortId result) {
    check_new(name, "symbol");
    if (arguments.size() > max_arguments) {
        throw sources_.error(name.location, "symbol " + std::string(name.text) + " has too many arguments",
                             std::to_string(arguments.size()) + ", at most " + std::to_string(max_arguments));
    }
    symbol_ids_[std::string(name.text)] = static_cast<SymbolId>(system_.symbols.size());
    system_.symbols.push_back({std::string(name.text), std::move(arguments), result, name.location, false});
}

void Builder::declare_variable(Token const& name, SortId sort) {
    check_new(name, "variable");
    variables_[std::string(name.text)] = {sort, name.location};
}

void Builder::begin_rule(TokenReader& reader) {
    rule_ = {};
    bound_.clear();
    Token const& first = reader.peek();
    rule_.location = first.location;
    if (variables_.count(std::string(first.text)) != 0 && !reader.peek(1).is("(")) {
        throw sources_.error(first.location, "the left side is the variable " + std::string(first.text),
                             "it would match every term", "Start a rule with a symbol.");
    }
    rule_.left = term(reader, Variables::binding, nullptr, &rule_sort_);
}

TermId Builder::bound_term(TokenReader& reader) { return term(reader, Variables::bound, &rule_sort_, nullptr); }

Condition Builder::condition_sides(TokenReader& reader, bool (*is_equal)(TokenReader&)) {
    Condition condition;
    SortId sort = 0;
    condition.left = term(reader, Variables::bound, nullptr, &sort);
    condition.equal = is_equal(reader);
    condition.right = term(reader, Variables::bound, &sort, nullptr);
    return condition;
}

void Builder::end_rule(TermId right, std::vector<Condition> conditions) {
    rule_.right = right;
    rule_.conditions = std::move(conditions);
    system_.symbols[system_.terms.symbol(rule_.left)].defined = true;
    system_.rules.push_back(std::move(rule_));
}

TermId Builder::closed_term(TokenReader& reader) { return term(reader, Variables::none, nullptr, nullptr); }

System Builder::finish() {
    system_.files = sources_.names();
    return std::move(system_);
}

std::string Builder::signature(SymbolId symbol) const {
    Symbol const& of = system_.symbols[symbol];
    std::vector<std::string> sorts;
    for (SortId const sort : of.arguments)
        sorts.push_back(system_.sorts[sort]);
    return of.name + "(" + bench::joined(sorts) + ")";
}

void Builder::check_sort(Token const& token, SortId found, SortId const* expected) const {
    if (expected == nullptr || *expected == found)
        return;
    throw sources_.error(
        token.location, std::string(token.text) + " is of sort " + system_.sorts[found] + " here",
        "expected a term of sort " + system_.sorts[*expected] + ", found one of sort " + system_.sorts[found]);
}

void Builder::unknown_symbol(Token const& token, Variables variables) const {
    std::string const name(token.text);
    if (variables_.count(name) != 0) {
        throw sources_.error(token.location, "variable " + name + " in a term that has none",
                             "expected a symbol, found a variable", "Write a term without variables.");
    }
    std::vector<std::string> names;
    for (Symbol const& symbol : system_.symbols)
        names.push_back(symbol.name);
    if (variables != Variables::none) {
        for (auto const& variable : variables_)
            names.push_back(variable.first);
    }
    std::string const near = bench::nearest(name, names);
    throw sources_.error(token.location, "unknown symbol " + name,
                         "expected a declared symbol" + std::string(variables == Variables::none ? "" : " or variable"),
                         near.empty() ? "Declare it." : "did you mean " + near + "?");
}

TermId Builder::variable_term(Token const& token, Variables variables) {
    std::string const name(token.text);
    auto const found = bound_.find(name);
    if (variables == Variables::bound) {
        if (found == bound_.end()) {
            throw sources_.error(token.location, "free variable " + name,
                                 "expected a variable of the left side, found one that it does not bind");
        }
        return system_.terms.variable(found->second);
    }
    if (found != bound_.end()) {
        throw sources_.error(token.location, "variable " + name + " stands twice on the left side",
                             "rules are left-linear: expected another variable",
                             "Use two variables and compare them by a function or a condition.");
    }
    std::uint32_t const number = static_cast<std::uint32_t>(bound_.size());
    bound_[name] = number;
    rule_.variables.push_back(name);
    return system_.terms.variable(number);
}

// A symbol whose arguments are being read.
struct Builder::Open {
    SymbolId symbol;
    Token const* token;
    std::size_t first;  // of its arguments, among the values
};

// One loop with a stack of its own: a term may be a million symbols deep.
TermId Builder::term(TokenReader& reader, Variables variables, SortId const* expected_sort, SortId* found_sort) {
    std::vector<Open> open;
    std::vector<TermId> values;
    auto const expected = [&]() -> SortId const* {
        if (open.empty())
            return expected_sort;
        return &system_.symbols[open.back().symbol].arguments[values.size() - open.back().first];
    };
    auto const refuse_count = [&](Open const& of, std::string const& found) {
        throw sources_.error(of.token->location, "wrong number of arguments",
                             "expected " + signature(of.symbol) + " with " + std::to_string(system_.arity(of.symbol)) +
                                 ", found " + found);
    };
    for (;;) {
        Token const& token = reader.expect_identifier("a term");
        auto const found = symbol_ids_.find(std::string(token.text));
        bool opened = false;
        if (found == symbol_ids_.end()) {
            auto const variable = variables_.find(std::string(token.text));
            if (variable == variables_.end() || variables == Variables::none)
                unknown_symbol(token, variables);
            check_sort(token, variable->second.sort, expected());
            if (open.empty() && found_sort != nullptr)
                *found_sort = variable->second.sort;
            values.push_back(variable_term(token, variables));
            if (reader.peek().is("("))
                reader.fail_expected("no arguments after the variable " + std::string(token.text));
        } else {
            SymbolId const symbol = found->second;
            check_sort(token, system_.symbols[symbol].result, expected());
            if (open.empty() && found_sort != nullptr)
                *found_sort = system_.symbols[symbol].result;
            Open const one = {symbol, &token, values.size()};
            bool const parenthesis = reader.skip("(");
            if (parenthesis && !reader.skip(")")) {
                if (system_.arity(symbol) == 0)
                    refuse_count(one, "more");
                open.push_back(one);
                opened = true;
            } else {
                if (system_.arity(symbol) != 0)
                    refuse_count(one, "none");
                values.push_back(system_.terms.application(symbol, {}));
            }
        }
        if (opened)
            continue;
        // A term is complete: it may complete those around it.
        while (!open.empty()) {
            Open const of = open.back();
            std::size_t const count = values.size() - of.first;
            if (reader.skip(",") || reader.skip(";")) {
                if (count == system_.arity(of.symbol))
                    refuse_count(of, "more");
                break;
            }
            if (!reader.peek().is(")"))
                reader.fail_expected(", or )");
            if (count != system_.arity(of.symbol))
                refuse_count(of, std::to_string(count));
            reader.take();
            TermId const whole = system_.terms.application(of.symbol, std::span(values).subspan(of.first));
            values.resize(of.first);
            values.push_back(whole);
            open.pop_back();
        }
        if (open.empty())
            return values.back();
    }
}

}  // namespace lockstep::term_rewriting
