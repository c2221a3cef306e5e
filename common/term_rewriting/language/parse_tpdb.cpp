// The format of the Termination Problems Data Base and of the Confluence Competition: (VAR x y) (RULES l -> r ...), and
// (COMMENT ...), (SIG (f 2) ...), (STRATEGY INNERMOST), (CONDITIONTYPE JOIN). There is one sort, a symbol is declared
// by its first use in RULES or by SIG, and there are no input terms. What would change the meaning of the rules is
// refused: theories, other strategies, relative rules, other conditions.

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "common/term_rewriting/language/builder.hpp"
#include "common/term_rewriting/language/parse.hpp"

namespace lockstep::term_rewriting {

namespace {

class TpdbParser {
public:
    TpdbParser(Sources const& sources, std::uint32_t file)
        : sources_(sources), builder_(sources), tokens_(tokenize(sources, file, Language::tpdb)) {}

    System run() {
        TokenReader reader(sources_, tokens_);
        while (reader.peek().kind != Token::Kind::end)
            section(reader);
        builder_.system().language = Language::tpdb;
        builder_.declare_sort(sort_);
        for (Token const* const variable : variables_) {
            if (is_variable_.insert(variable->text).second)
                builder_.declare_variable(*variable, 0);
        }
        for (auto const& [name, count] : signature_)
            declare(*name, count);
        for (std::size_t const start : rules_)
            declare_symbols(start);
        for (std::size_t const start : rules_)
            rules(start);
        return builder_.finish();
    }

private:
    void section(TokenReader& reader) {
        reader.expect("(");
        Token const& keyword = reader.expect_identifier("VAR, RULES, COMMENT, SIG, STRATEGY or CONDITIONTYPE");
        if (keyword.is_word("VAR")) {
            while (!reader.peek().is(")"))
                variables_.push_back(&reader.expect_identifier("a variable or )"));
        } else if (keyword.is_word("RULES")) {
            rules_.push_back(reader.position());
            skip_rules(reader);
        } else if (keyword.is_word("SIG")) {
            while (reader.skip("("))
                signature(reader);
        } else if (keyword.is_word("STRATEGY")) {
            only(reader, "INNERMOST", "rewriting is innermost");
        } else if (keyword.is_word("CONDITIONTYPE")) {
            only(reader, "JOIN", "a condition compares two normal forms");
        } else {
            refuse(keyword, "the section " + std::string(keyword.text),
                   "only VAR, RULES, COMMENT, SIG, STRATEGY INNERMOST and CONDITIONTYPE JOIN are read");
        }
        reader.expect(")");
    }

    [[noreturn]] void refuse(Token const& token, std::string const& what, std::string const& why) const {
        throw sources_.error(token.location, what + " is not supported", why);
    }

    void only(TokenReader& reader, std::string_view word, std::string const& why) {
        Token const& found = reader.expect_identifier(std::string(word));
        if (found.text != word)
            refuse(found, std::string(found.text), why);
    }

    static void skip_rules(TokenReader& reader) {
        std::size_t open = 0;
        while (reader.peek().kind != Token::Kind::end && (open != 0 || !reader.peek().is(")"))) {
            open += reader.peek().is("(") ? 1 : 0;
            open -= reader.peek().is(")") ? 1 : 0;
            reader.take();
        }
    }

    // f 2)
    void signature(TokenReader& reader) {
        Token const& name = reader.expect_identifier("a symbol");
        Token const& number = reader.expect_identifier("its number of arguments");
        std::uint32_t count = 0;
        char const* const end = number.text.data() + number.text.size();
        auto const read = std::from_chars(number.text.data(), end, count);
        if (read.ec != std::errc() || read.ptr != end) {
            throw sources_.error(number.location, "cannot read this",
                                 "expected a number of arguments, found " + describe(number));
        }
        signature_.emplace_back(&name, count);
        reader.expect(")");
    }

    // A later use with another number of arguments is an error where its rule is read.
    void declare(Token const& name, std::size_t arguments) {
        if (is_variable_.contains(name.text) || !is_symbol_.insert(name.text).second)
            return;
        builder_.declare_symbol(name, std::vector<SortId>(std::min(arguments, max_counted)), 0);
    }

    // Counts the arguments of every symbol.
    void declare_symbols(std::size_t start) {
        struct Open {
            Token const* symbol;
            std::size_t commas;
        };
        std::vector<Open> open;
        for (std::size_t at = start; !open.empty() || !tokens_[at].is(")"); ++at) {
            Token const& token = tokens_[at];
            Token const& next = tokens_[std::min(at + 1, tokens_.size() - 1)];
            if (token.kind == Token::Kind::end)
                return;
            if (token.is("(")) {
                open.push_back({&tokens_[at - 1], 0});
            } else if (token.is(")")) {
                bool const empty = tokens_[at - 1].is("(");
                if (open.back().symbol->kind == Token::Kind::identifier)
                    declare(*open.back().symbol, empty ? 0 : open.back().commas + 1);
                open.pop_back();
            } else if (token.is(",") && !open.empty()) {
                ++open.back().commas;
            } else if (token.kind == Token::Kind::identifier && !next.is("(")) {
                declare(token, 0);
            }
        }
    }

    static bool is_equal(TokenReader& reader) {
        if (!reader.skip("=="))
            reader.expect("-><-");
        return true;
    }

    // l -> r [| s == t {, s == t}]
    void rules(std::size_t start) {
        TokenReader reader(sources_, tokens_, start);
        while (!reader.peek().is(")")) {
            builder_.begin_rule(reader);
            if (reader.peek().is("->="))
                refuse(reader.peek(), "a relative rule", "a rule is applied whenever it can be");
            reader.expect("->");
            TermId const right = builder_.bound_term(reader);
            std::vector<Condition> conditions;
            if (reader.skip("|")) {
                do {
                    conditions.push_back(builder_.condition_sides(reader, is_equal));
                } while (reader.skip(","));
            }
            builder_.end_rule(right, std::move(conditions));
        }
    }

    static constexpr std::size_t max_counted = 1 << 16;  // more are refused by the builder

    Sources const& sources_;
    Builder builder_;
    std::vector<Token> tokens_;
    Token const sort_ = {Token::Kind::identifier, "Term", {}};
    std::vector<Token const*> variables_;
    std::vector<std::pair<Token const*, std::size_t>> signature_;
    std::vector<std::size_t> rules_;  // index of the first token of each RULES section
    std::unordered_set<std::string_view> is_variable_;
    std::unordered_set<std::string_view> is_symbol_;
};

}  // namespace

System parse_tpdb(Sources const& sources, std::uint32_t file) { return TpdbParser(sources, file).run(); }

}  // namespace lockstep::term_rewriting
