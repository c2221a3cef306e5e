#pragma once
// Builds a System from the parser's input and rejects errors that are common to all languages: unknown or duplicate
// names, a wrong arity or sort, a left side that is a variable, a variable that the left side does not bind. A left
// side that repeats a variable becomes linear (equality.hpp).

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/term_rewriting/language/equality.hpp"
#include "common/term_rewriting/language/system.hpp"
#include "common/term_rewriting/language/tokens.hpp"

namespace lockstep::term_rewriting {

// Tokens of a statement, read from the front.
class TokenReader {
public:
    TokenReader(Sources const& sources, std::vector<Token> const& tokens, std::size_t at = 0)
        : sources_(sources), tokens_(tokens), at_(at) {}

    Token const& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
    Token const& take();
    std::size_t position() const { return at_; }
    bool skip(std::string_view sign);  // consumes the sign if it is next
    // Throws "expected <what>, found <token>" if the next token is a different one.
    Token const& expect(std::string_view sign);
    Token const& expect_identifier(std::string const& what);
    [[noreturn]] void fail_expected(std::string const& what) const;

private:
    Sources const& sources_;
    std::vector<Token> const& tokens_;
    std::size_t at_;
};

class Builder {
public:
    explicit Builder(Sources const& sources) : sources_(sources) {}
    // Starts from a complete system, to read terms over its symbols. The system's variables are not declared here.
    Builder(Sources const& sources, System system);

    void declare_sort(Token const& name);
    bool has_sort(std::string_view name) const { return sort_ids_.count(std::string(name)) != 0; }
    SortId sort(Token const& name) const;
    void declare_symbol(Token const& name, std::vector<SortId> arguments, SortId result);
    void declare_variable(Token const& name, SortId sort);
    // Call after all declarations: adds the operations on integers to a system that declares their sort.
    void end_declarations();

    // Call order for a rule: begin_rule reads the left side; then the right side and the conditions, in the order of
    // the language; then end_rule.
    void begin_rule(TokenReader& reader);
    TermId bound_term(TokenReader& reader);  // of the left side's sort
    Condition condition_sides(TokenReader& reader, bool (*is_equal)(TokenReader&));
    void end_rule(TermId right, std::vector<Condition> conditions);

    // A term without variables, of any sort.
    TermId closed_term(TokenReader& reader);
    void add_input(TermId term) { system_.inputs.push_back(term); }

    System& system() { return system_; }
    System finish();

private:
    enum class Variables { binding, bound, none };
    struct Variable {
        SortId sort;
        Location location;
    };
    class TermParser;

    TermId term(TokenReader& reader, Variables variables, SortId const* expected_sort, SortId* found_sort);
    TermId variable_term(Token const& token, Variables variables);
    void check_sort(Token const& token, SortId found, SortId const* expected) const;
    void check_new(Token const& name, std::string const& what) const;
    [[noreturn]] void unknown_symbol(Token const& token, Variables variables) const;
    std::string signature(SymbolId symbol) const;

    Sources const& sources_;
    System system_;
    std::unordered_map<std::string, SortId> sort_ids_;
    std::unordered_map<std::string, SymbolId> symbol_ids_;
    std::unordered_map<std::string, Variable> variables_;
    std::unordered_map<std::string, std::uint32_t> bound_;  // variables of the rule being read
    std::size_t all_arguments_ = 0;
    Rule rule_;
    SortId rule_sort_ = 0;
    std::vector<RepeatedVariable> repeated_;
    Location integers_at_;  // where their sort is declared
    bool adds_operations_ = false;
};

}  // namespace lockstep::term_rewriting
