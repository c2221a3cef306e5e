#include "common/term_rewriting/language/builder.hpp"

#include <stdexcept>

#include "common/term_rewriting/language/integers.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::term_rewriting {

namespace {

// The generated code and its collector store the number of arguments in 16 bits.
constexpr std::size_t max_arguments = 65535;
// Of all symbols together: one line of REC can declare many symbols with many arguments each.
constexpr std::size_t max_all_arguments = std::size_t{1} << 24;

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
    if (peek().kind != Token::Kind::identifier || peek().text == eval_words)
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
    auto const reject = [&](std::string const& as, Location const& location) {
        throw sources_.error(name.location, what + " " + std::string(name.text) + " is declared twice",
                             as + " is at " + at(sources_, location), "Rename one of them.");
    };
    if (auto const found = symbol_ids_.find(std::string(name.text)); found != symbol_ids_.end())
        reject("the symbol", system_.symbols[found->second].location);
    if (auto const found = variables_.find(std::string(name.text)); found != variables_.end())
        reject("the variable", found->second.location);
}

void Builder::declare_sort(Token const& name) {
    if (has_sort(name.text))
        return;
    if (name.text == integer_sort)
        integers_at_ = name.location;
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
    all_arguments_ += arguments.size();
    if (all_arguments_ > max_all_arguments) {
        throw sources_.error(name.location, "the symbols up to " + std::string(name.text) + " have too many arguments",
                             "at most " + std::to_string(max_all_arguments) + " in all");
    }
    symbol_ids_[std::string(name.text)] = static_cast<SymbolId>(system_.symbols.size());
    system_.symbols.push_back({std::string(name.text), std::move(arguments), result, name.location, false});
}

void Builder::declare_variable(Token const& name, SortId sort) {
    check_new(name, "variable");
    variables_[std::string(name.text)] = {sort, name.location};
}

void Builder::end_declarations() {
    auto const sort = sort_ids_.find(std::string(integer_sort));
    if (sort == sort_ids_.end())
        return;
    try {
        add_integers(system_, sort->second, integers_at_);
    } catch (std::invalid_argument const& declared) {
        throw sources_.error(system_.symbols[symbol_ids_.at(declared.what())].location,
                             "symbol " + std::string(declared.what()) + " is declared twice",
                             "it is an operation of the sort Int64", "Rename it.");
    }
    for (SymbolId symbol = system_.integers->no_result + 1; symbol < system_.symbols.size(); ++symbol) {
        std::string const& name = system_.symbols[symbol].name;
        if (auto const variable = variables_.find(name); variable != variables_.end()) {
            throw sources_.error(variable->second.location, "variable " + name + " is declared twice",
                                 "it is an operation of the sort Int64", "Rename it.");
        }
        symbol_ids_[name] = symbol;
    }
    adds_operations_ = true;
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
    if (system_.symbols[system_.terms.symbol(rule_.left)].origin != Origin::user) {
        throw sources_.error(first.location, "the left side is " + std::string(first.text),
                             "values and operations of Int64 have no rules", "Start a rule with another symbol.");
    }
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
    if (adds_operations_)
        add_operations(system_, integers_at_);
    adds_operations_ = false;
    add_equalities(system_, repeated_);
    repeated_.clear();
    system_.files = sources_.names();
    return std::move(system_);
}

}  // namespace lockstep::term_rewriting
