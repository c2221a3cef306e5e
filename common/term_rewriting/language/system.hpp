#pragma once
// A term rewrite system of any language: sorts, symbols, rules (left-linear, in the order of the text), input terms.
// One pool holds all terms, so a term of a million symbols is flat memory and no function recurses. Paper: van Eerd et
// al., Section 2.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/term_rewriting/language/large_array.hpp"

namespace lockstep::term_rewriting {

using SortId = std::uint32_t;
using SymbolId = std::uint32_t;
using TermId = std::uint32_t;
using RuleId = std::uint32_t;

enum class Language {
    paper,  // sort, var, eqn, input; `%` starts a comment
    rec,    // line based; `%` or `#` starts a comment, #include "file" includes
    tpdb    // (VAR ...) (RULES ...), one sort; a name is any run of characters without blanks ( ) " | ,
};

// Where a symbol or a rule comes from.
enum class Origin {
    user,      // the text
    integers,  // the built-in integers (integers.hpp)
    internal   // a generated equality (equality.hpp), or the pair of terms (together.hpp): no text has it
};

enum class Operation { none, add, subtract, multiply, divide, modulo, less, at_most, equal };

// A location in the user's text; line and column count from 1, the column in bytes.
struct Location {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

// Terms as nodes with argument lists. Arguments exist before the term that contains them, so they have smaller ids.
// Equal terms are not merged: a node that is referenced twice is a shared term.
class Terms {
public:
    TermId variable(std::uint32_t number);
    TermId application(SymbolId symbol, std::span<TermId const> arguments);

    bool is_variable(TermId term) const { return (nodes_[term].head & variable_mark) != 0; }
    std::uint32_t variable_of(TermId term) const { return nodes_[term].head & ~variable_mark; }
    SymbolId symbol(TermId term) const { return nodes_[term].head; }
    std::span<TermId const> arguments(TermId term) const {
        return {arguments_.data() + nodes_[term].first, nodes_[term].count};
    }
    std::size_t size() const { return nodes_.size(); }
    // Adds the terms of each part, on all cores. The first known.size() terms of every part stand for the terms `known`
    // of this pool and are not added. Returns, per part, the id of its first added term; the others follow it.
    std::vector<TermId> append(std::span<Terms const> parts, std::span<TermId const> known);
    void reserve(std::size_t nodes) { nodes_.reserve(nodes), arguments_.reserve(nodes); }

private:
    static constexpr std::uint32_t variable_mark = 1u << 31;

    struct Node {
        std::uint32_t head;
        std::uint32_t count;
        std::uint64_t first;
    };
    LargeVector<Node> nodes_;
    LargeVector<TermId> arguments_;
};

struct Symbol {
    std::string name;
    std::vector<SortId> arguments;
    SortId result = 0;
    Location location;
    bool defined = false;  // the head symbol of some rule's left side
    Origin origin = Origin::user;
};

// Holds if both sides have the same normal form, or, if `equal` is false, different normal forms.
struct Condition {
    TermId left = 0;
    TermId right = 0;
    bool equal = true;
    bool generated = false;  // compares the terms of a variable that the user's left side repeats (equality.hpp)
};

struct Rule {
    TermId left = 0;
    TermId right = 0;
    std::vector<Condition> conditions;   // evaluated in this order, each on demand
    std::vector<std::string> variables;  // names by variable number; numbered from left to right in `left`
    Location location;
    Origin origin = Origin::user;
    // Of the first two values on the left side. The rule applies only if it holds, or if it has a result, which then
    // binds the last eight variables (integers.hpp).
    Operation operation = Operation::none;
};

// The built-in integers of a system (integers.hpp).
struct Integers {
    SortId sort = 0;
    SymbolId whole = 0;       // has eight bytes as its arguments
    SymbolId first_byte = 0;  // of 256 constants
    SymbolId no_result = 0;   // the symbols of the operations follow it
};

// Applications of the user's rules, of the rules of generated equalities, and of those of operations on integers.
struct RuleCounts {
    std::uint64_t rewrites = 0;
    std::uint64_t comparisons = 0;
    std::uint64_t operations = 0;
};

struct System {
    std::string name;
    Language language = Language::paper;  // terms of another text are in this language too
    std::vector<std::string> files;       // indexed by Location::file
    std::vector<std::string> sorts;
    std::vector<Symbol> symbols;
    std::vector<Rule> rules;  // earlier rules have priority
    Terms terms;
    std::vector<TermId> inputs;
    // A part of the input that rules may rewrite stands in several places. Some engines rewrite it once per place.
    bool shares_redexes = false;
    std::optional<Integers> integers;

    std::size_t arity(SymbolId symbol) const { return symbols[symbol].arguments.size(); }
    // Adds a symbol that no text has. `location` is that of the text which needs it.
    SymbolId add_symbol(Origin origin, std::string symbol_name, std::vector<SortId> arguments, SortId result,
                        Location const& location = {});
    // Returns, per symbol, the rules whose left side has it as its head, in order.
    std::vector<std::vector<RuleId>> rules_of_symbols() const;
    // `applications` per rule.
    RuleCounts counts_of(std::span<std::uint64_t const> applications) const;
};

// Returns the terms reachable from `root`, including `root`: each one once, arguments first.
LargeVector<TermId> reached_terms(Terms const& terms, TermId root);

// Returns true if the two terms are equal as trees. Both may be shared graphs, in different pools.
bool equal_terms(Terms const& left_terms, TermId left, Terms const& right_terms, TermId right);

// A 64-bit digest of a term as a tree: equal for equal trees, however they are shared.
std::uint64_t digest_of(Terms const& terms, TermId root);

// Returns the number of symbols of the term as a tree; saturates at the largest value.
std::uint64_t tree_size(Terms const& terms, TermId root);

}  // namespace lockstep::term_rewriting
