// The terms of Builder: names become symbols and variables of the right sorts and numbers of arguments.

#include <charconv>

#include "common/term_rewriting/language/builder.hpp"
#include "common/term_rewriting/language/integers.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::term_rewriting {

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
    std::uint32_t const number = static_cast<std::uint32_t>(rule_.variables.size());
    rule_.variables.push_back(name);
    if (found != bound_.end())
        repeated_.push_back(
            {static_cast<RuleId>(system_.rules.size()), found->second, number, variables_.at(name).sort});
    else
        bound_[name] = number;
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
        if (reader_.peek().kind == Token::Kind::number) {
            read_integer(reader_.take());
            return true;
        }
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

    void read_integer(Token const& token) {
        if (!system_.integers) {
            throw builder_.sources_.error(token.location, "a number in a system without integers",
                                          "it does not declare the sort Int64", "Declare it.");
        }
        check_sort(token, system_.integers->sort);
        std::int64_t value = 0;
        if (std::from_chars(token.text.data(), token.text.data() + token.text.size(), value).ec != std::errc()) {
            throw builder_.sources_.error(token.location, "the number is too large",
                                          "a value of Int64 is from -2^63 to 2^63 - 1");
        }
        values_.push_back(integer_term(system_.terms, *system_.integers, value));
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
