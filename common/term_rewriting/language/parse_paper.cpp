// The paper's language: sections sort, var, eqn and input, in any order and number. `struct` is optional, `Input` means
// `input`, `%` starts a comment, a constant is written Zero() or Zero.

#include "common/term_rewriting/language/builder.hpp"
#include "common/term_rewriting/language/parse.hpp"

namespace lockstep::term_rewriting {

namespace {

class PaperParser {
public:
    PaperParser(Sources const& sources, std::uint32_t file)
        : sources_(sources), builder_(sources), tokens_(tokenize(sources, file, Language::paper)) {}

    // Reads the declarations first, wherever they are; then the rules and inputs, which need them.
    System run() {
        TokenReader reader(sources_, tokens_);
        while (reader.peek().kind != Token::Kind::end)
            section(reader);
        declare();
        for (std::size_t const start : equations_)
            equations(start);
        for (std::size_t const start : inputs_)
            input(start);
        return builder_.finish();
    }

private:
    struct Declared {
        Token const* name;
        std::vector<Token const*> arguments;
        Token const* result;
    };

    static bool is_keyword(Token const& token) {
        for (char const* const word : {"sort", "var", "eqn", "input", "Input"}) {
            if (token.is_word(word))
                return true;
        }
        return false;
    }

    static bool ends_section(Token const& token) { return token.kind == Token::Kind::end || is_keyword(token); }

    void section(TokenReader& reader) {
        if (!is_keyword(reader.peek()))
            reader.fail_expected("sort, var, eqn or input");
        std::string_view const keyword = reader.take().text;
        if (keyword == "sort") {
            while (!ends_section(reader.peek()))
                sort_definition(reader);
        } else if (keyword == "var") {
            while (!ends_section(reader.peek()))
                variable_definition(reader);
        } else {
            (keyword == "eqn" ? equations_ : inputs_).push_back(reader.position());
            skip_statements(reader);
        }
    }

    static void skip_statements(TokenReader& reader) {
        bool at_start = true;
        while (reader.peek().kind != Token::Kind::end && !(at_start && is_keyword(reader.peek())))
            at_start = reader.take().is(";");
    }

    // Name = [struct] c(S, T) | d() ;      or, without symbols,      Name ;
    void sort_definition(TokenReader& reader) {
        Token const& name = reader.expect_identifier("a sort");
        builder_.declare_sort(name);
        if (reader.skip(";"))
            return;
        reader.expect("=");
        if (reader.peek().is_word("struct"))
            reader.take();
        do {
            symbols_.push_back(symbol(reader, name));
        } while (reader.skip("|"));
        if (!reader.peek().is(";"))
            reader.fail_expected("| or ;");
        reader.take();
    }

    static Declared symbol(TokenReader& reader, Token const& result) {
        Declared declared = {&reader.expect_identifier("a symbol"), {}, &result};
        if (!reader.skip("(") || reader.skip(")"))
            return declared;
        do {
            declared.arguments.push_back(&reader.expect_identifier("a sort"));
        } while (reader.skip(","));
        if (!reader.peek().is(")"))
            reader.fail_expected(", or )");
        reader.take();
        return declared;
    }

    // X, Y : Nat;
    void variable_definition(TokenReader& reader) {
        std::vector<Token const*> names;
        do {
            names.push_back(&reader.expect_identifier("a variable"));
        } while (reader.skip(","));
        reader.expect(":");
        Token const& sort = reader.expect_identifier("a sort");
        reader.expect(";");
        for (Token const* const name : names)
            variables_.push_back({name, {}, &sort});
    }

    void declare() {
        for (Declared const& declared : symbols_) {
            std::vector<SortId> arguments;
            for (Token const* const argument : declared.arguments)
                arguments.push_back(builder_.sort(*argument));
            builder_.declare_symbol(*declared.name, std::move(arguments), builder_.sort(*declared.result));
        }
        for (Declared const& declared : variables_)
            builder_.declare_variable(*declared.name, builder_.sort(*declared.result));
        builder_.end_declarations();
    }

    void equations(std::size_t start) {
        TokenReader reader(sources_, tokens_, start);
        while (!ends_section(reader.peek())) {
            builder_.begin_rule(reader);
            reader.expect("=");
            TermId const right = builder_.bound_term(reader);
            reader.expect(";");
            builder_.end_rule(right, {});
        }
    }

    void input(std::size_t start) {
        TokenReader reader(sources_, tokens_, start);
        do {
            TermId const term = builder_.closed_term(reader);
            reader.expect(";");
            builder_.add_input(term);
        } while (!ends_section(reader.peek()));
    }

    Sources const& sources_;
    Builder builder_;
    std::vector<Token> tokens_;
    std::vector<Declared> symbols_;
    std::vector<Declared> variables_;
    std::vector<std::size_t> equations_;  // index of the first token of each eqn section
    std::vector<std::size_t> inputs_;
};

}  // namespace

System parse_paper(Sources& sources, std::uint32_t file) { return PaperParser(sources, file).run(); }

}  // namespace lockstep::term_rewriting
