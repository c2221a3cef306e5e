#include "common/term_rewriting/language/integers.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

namespace {

struct NamedOperation {
    Operation operation;
    char const* name;
};

constexpr std::array<NamedOperation, 8> operations = {{{Operation::add, "add64"},
                                                       {Operation::subtract, "sub64"},
                                                       {Operation::multiply, "mul64"},
                                                       {Operation::divide, "div64"},
                                                       {Operation::modulo, "mod64"},
                                                       {Operation::less, "less64"},
                                                       {Operation::at_most, "at_most64"},
                                                       {Operation::equal, "equal64"}}};

std::optional<SymbolId> constant_named(System const& system, std::string_view name) {
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (system.symbols[symbol].name == name && system.arity(symbol) == 0)
            return symbol;
    }
    return std::nullopt;
}

// The user's constants for true and false.
std::optional<std::pair<SymbolId, SymbolId>> booleans_of(System const& system) {
    for (auto const& [yes, no] : {std::pair("true", "false"), std::pair("True", "False")}) {
        auto const true_constant = constant_named(system, yes);
        auto const false_constant = constant_named(system, no);
        if (true_constant && false_constant &&
            system.symbols[*true_constant].result == system.symbols[*false_constant].result)
            return std::pair(*true_constant, *false_constant);
    }
    return std::nullopt;
}

// i(first, ..., first + 7)
TermId value_of_variables(System& system, std::uint32_t first) {
    std::array<TermId, 8> bytes{};
    for (std::uint32_t i = 0; i < 8; ++i)
        bytes[i] = system.terms.variable(first + i);
    return system.terms.application(system.integers->whole, bytes);
}

void add_rule(System& system, SymbolId symbol, Operation operation, TermId right, Location const& location) {
    TermId const sides[] = {value_of_variables(system, 0), value_of_variables(system, 8)};
    Rule rule;
    rule.left = system.terms.application(symbol, sides);
    rule.right = right;
    rule.operation = operation;
    std::size_t const variables = operation == Operation::none || is_comparison(operation) ? 16 : 24;
    for (std::size_t i = 0; i < variables; ++i)
        rule.variables.push_back((i < 8 ? "x" : i < 16 ? "y" : "r") + std::to_string(i % 8));
    rule.location = location;
    rule.origin = Origin::integers;
    system.rules.push_back(std::move(rule));
    system.symbols[symbol].defined = true;
}

}  // namespace

void add_integers(System& system, SortId sort, Location const& location) {
    for (NamedOperation const& one : operations) {
        for (Symbol const& symbol : system.symbols) {
            if (symbol.name == one.name)
                throw std::invalid_argument(one.name);
        }
    }
    std::optional<std::pair<SymbolId, SymbolId>> const booleans = booleans_of(system);
    SortId const byte = static_cast<SortId>(system.sorts.size());
    system.sorts.emplace_back("=(Byte)");
    Integers integers;
    integers.sort = sort;
    integers.first_byte = static_cast<SymbolId>(system.symbols.size());
    for (unsigned i = 0; i < 256; ++i)
        system.add_symbol(Origin::integers, "=(" + std::to_string(i) + ")", {}, byte, location);
    integers.whole = system.add_symbol(Origin::integers, "=(Int64)", std::vector<SortId>(8, byte), sort, location);
    integers.no_result = system.add_symbol(Origin::integers, "=(no result)", {}, sort, location);
    for (NamedOperation const& one : operations) {
        if (is_comparison(one.operation) && !booleans)
            continue;
        SortId const result = is_comparison(one.operation) ? system.symbols[booleans->first].result : sort;
        system.add_symbol(Origin::integers, one.name, {sort, sort}, result, location);
    }
    system.integers = integers;
}

void add_operations(System& system, Location const& location) {
    std::optional<std::pair<SymbolId, SymbolId>> const booleans = booleans_of(system);
    SymbolId symbol = system.integers->no_result + 1;
    for (NamedOperation const& one : operations) {
        if (!is_comparison(one.operation)) {
            add_rule(system, symbol, one.operation, value_of_variables(system, 16), location);
            add_rule(system, symbol, Operation::none, system.terms.application(system.integers->no_result, {}),
                     location);
        } else if (booleans) {
            add_rule(system, symbol, one.operation, system.terms.application(booleans->first, {}), location);
            add_rule(system, symbol, Operation::none, system.terms.application(booleans->second, {}), location);
        } else {
            continue;
        }
        ++symbol;
    }
}

TermId integer_term(Terms& terms, Integers const& integers, std::int64_t value) {
    std::array<TermId, 8> bytes{};
    for (std::uint32_t i = 0; i < 8; ++i) {
        std::uint64_t const byte = static_cast<std::uint64_t>(value) >> (56 - 8 * i) & 0xff;
        bytes[i] = terms.application(integers.first_byte + static_cast<SymbolId>(byte), {});
    }
    return terms.application(integers.whole, bytes);
}

std::optional<std::int64_t> result_of(Operation operation, std::int64_t x, std::int64_t y) {
    std::int64_t result = 0;
    switch (operation) {
        case Operation::add:
            return __builtin_add_overflow(x, y, &result) ? std::nullopt : std::optional(result);
        case Operation::subtract:
            return __builtin_sub_overflow(x, y, &result) ? std::nullopt : std::optional(result);
        case Operation::multiply:
            return __builtin_mul_overflow(x, y, &result) ? std::nullopt : std::optional(result);
        case Operation::divide:
            if (y == 0 || (y == -1 && x == std::numeric_limits<std::int64_t>::min()))
                return std::nullopt;
            return x / y;
        default:
            if (y == 0)
                return std::nullopt;
            return y == -1 ? 0 : x % y;
    }
}

bool is_comparison(Operation operation) { return operation >= Operation::less; }

bool holds(Operation operation, std::int64_t x, std::int64_t y) {
    switch (operation) {
        case Operation::less:
            return x < y;
        case Operation::at_most:
            return x <= y;
        default:
            return x == y;
    }
}

void refuse_integers(System const& system, std::string const& what) {
    if (system.integers)
        throw bench::Error(what + " has no machine integers", "the system declares the sort Int64");
}

}  // namespace lockstep::term_rewriting
