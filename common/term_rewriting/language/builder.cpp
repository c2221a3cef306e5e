#include "common/term_rewriting/language/builder.hpp"

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
        throw sources_.error(token.location, "variable " + name + " in a closed term",
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
                                 "expected a variable that the left side binds");
        }
        return system_.terms.variable(found->second);
    }
    if (found != bound_.end()) {
        throw sources_.error(token.location, "variable " + name + " occurs twice on the left side",
                             "rules are left-linear: expected another variable",
                             "Use two variables and compare them by a function or a condition.");
    }
    std::uint32_t const number = static_cast<std::uint32_t>(bound_.size());
    bound_[name] = number;
    rule_.variables.push_back(name);
    return system_.terms.variable(number);
}

// Reads one term. It uses an explicit stack because a term may be a million symbols deep.
class Builder::TermParser {
public:
    TermParser(Builder& builder, TokenReader& reader, Variables variables, SortId const* expected_sort)
        : builder_(builder),
          system_(builder.system_),
          reader_(reader),
          variables_(variables),
          expected_sort_(expected_sort) {}

    TermId read() {
        do {
            while (!read_symbol_or_variable()) {
            }
            complete();
        } while (!open_.empty());
        return values_.front();
    }
    // Returns the sort of the term that read() returned.
    SortId sort() const { return sort_; }

private:
    // A symbol whose arguments are being read.
    struct Open {
        SymbolId symbol;
        Token const* token;
        std::size_t first;  // index of its first argument in the values
    };

    // Returns the sort that the next term must have, or null if any sort is allowed.
    SortId const* expected() const {
        if (open_.empty())
            return expected_sort_;
        return &system_.symbols[open_.back().symbol].arguments[values_.size() - open_.back().first];
    }

    void check_sort(Token const& token, SortId found) {
        builder_.check_sort(token, found, expected());
        if (open_.empty())
            sort_ = found;
    }

    // Returns false if the term that starts here has arguments, which are read next.
    bool read_symbol_or_variable() {
        Token const& token = reader_.expect_identifier("a term");
        auto const symbol = builder_.symbol_ids_.find(std::string(token.text));
        if (symbol != builder_.symbol_ids_.end())
            return read_symbol(token, symbol->second);
        auto const variable = builder_.variables_.find(std::string(token.text));
        if (variable == builder_.variables_.end() || variables_ == Variables::none)
            builder_.unknown_symbol(token, variables_);
        check_sort(token, variable->second.sort);
        values_.push_back(builder_.variable_term(token, variables_));
        if (reader_.peek().is("("))
            reader_.fail_expected("no arguments after the variable " + std::string(token.text));
        return true;
    }

    bool read_symbol(Token const& token, SymbolId symbol) {
        check_sort(token, system_.symbols[symbol].result);
        Open const one = {symbol, &token, values_.size()};
        bool const has_arguments = reader_.skip("(") && !reader_.skip(")");
        if (has_arguments != (system_.arity(symbol) != 0))
            wrong_count(one, has_arguments ? "more" : "none");
        if (has_arguments)
            open_.push_back(one);
        else
            values_.push_back(system_.terms.application(symbol, {}));
        return !has_arguments;
    }

    // Completes a term, and each enclosing term whose last argument is now complete.
    void complete() {
        while (!open_.empty()) {
            Open const of = open_.back();
            std::size_t const count = values_.size() - of.first;
            if (reader_.skip(",") || reader_.skip(";")) {
                if (count == system_.arity(of.symbol))
                    wrong_count(of, "more");
                return;
            }
            if (!reader_.peek().is(")"))
                reader_.fail_expected(", or )");
            if (count != system_.arity(of.symbol))
                wrong_count(of, std::to_string(count));
            reader_.take();
            TermId const whole = system_.terms.application(of.symbol, std::span(values_).subspan(of.first));
            values_.resize(of.first);
            values_.push_back(whole);
            open_.pop_back();
        }
    }

    [[noreturn]] void wrong_count(Open const& of, std::string const& found) const {
        throw builder_.sources_.error(of.token->location, "wrong number of arguments",
                                      "expected " + builder_.signature(of.symbol) + " with " +
                                          std::to_string(system_.arity(of.symbol)) + ", found " + found);
    }

    Builder& builder_;
    System& system_;
    TokenReader& reader_;
    Variables variables_;
    SortId const* expected_sort_;
    SortId sort_ = 0;
    std::vector<Open> open_;
    std::vector<TermId> values_;
};

TermId Builder::term(TokenReader& reader, Variables variables, SortId const* expected_sort, SortId* found_sort) {
    TermParser parser(*this, reader, variables, expected_sort);
    TermId const term = parser.read();
    if (found_sort != nullptr)
        *found_sort = parser.sort();
    return term;
}

}  // namespace lockstep::term_rewriting
