#include "common/term_rewriting/language/parse.hpp"

#include <utility>

#include "common/term_rewriting/language/builder.hpp"

namespace lockstep::term_rewriting {

namespace {

// Builds terms in a system, which returns to its owner even if a term is rejected.
class Guest {
public:
    Guest(Sources const& sources, System& system)
        : system_(system), files_(system.files), builder_(sources, std::move(system)) {}
    ~Guest() {
        system_ = builder_.finish();
        system_.files = files_;
    }
    Guest(Guest const&) = delete;
    Guest& operator=(Guest const&) = delete;

    Builder& builder() { return builder_; }

private:
    System& system_;
    std::vector<std::string> const files_;
    Builder builder_;
};

// Terms have no lines that end in a token, so REC's are in the paper's language here.
Language language_of_terms(System const& system) {
    return system.language == Language::tpdb ? Language::tpdb : Language::paper;
}

// A text with one term.
TermId only_term(Builder& builder, Sources const& sources, std::uint32_t file) {
    std::vector<Token> const tokens = tokenize(sources, file, language_of_terms(builder.system()));
    TokenReader reader(sources, tokens);
    TermId const term = builder.closed_term(reader);
    reader.skip(";");
    if (reader.peek().kind != Token::Kind::end)
        reader.fail_expected("the end of the term");
    return term;
}

}  // namespace

Language language_of(std::string const& path, std::string const& text) {
    if (path.ends_with(".rec"))
        return Language::rec;
    std::size_t const first = text.find_first_not_of(" \t\r\n");
    if (first != text.npos && text[first] == '(')
        return Language::tpdb;
    if (path.ends_with(".trs"))
        return Language::paper;
    return text.find("REC-SPEC") != std::string::npos ? Language::rec : Language::paper;
}

System parse_system(std::string const& path, ReadFile const& read) {
    Sources sources;
    std::string text = read(path);
    Language const language = language_of(path, text);
    std::uint32_t const file = sources.add(path, std::move(text));
    switch (language) {
        case Language::rec:
            return parse_rec(sources, file, read);
        case Language::tpdb:
            return parse_tpdb(sources, file);
        default:
            return parse_paper(sources, file);
    }
}

TermId parse_term(System& system, std::string const& text, std::string const& name) {
    Sources sources;
    std::uint32_t const file = sources.add(name, text);
    Guest guest(sources, system);
    return only_term(guest.builder(), sources, file);
}

std::vector<TermId> parse_each(System& system, std::span<std::string const> texts) {
    Sources sources;
    Guest guest(sources, system);
    std::vector<TermId> terms;
    for (std::string const& text : texts)
        terms.push_back(
            only_term(guest.builder(), sources, sources.add("term " + std::to_string(terms.size() + 1), text)));
    return terms;
}

std::vector<TermId> parse_terms(System& system, std::string const& text, std::string const& name) {
    Sources sources;
    std::uint32_t const file = sources.add(name, text);
    std::vector<Token> const tokens = tokenize(sources, file, language_of_terms(system));
    TokenReader reader(sources, tokens);
    Guest guest(sources, system);
    std::vector<TermId> terms;
    while (reader.peek().kind != Token::Kind::end) {
        terms.push_back(guest.builder().closed_term(reader));
        reader.skip(";");
        bool const ended = reader.peek().kind == Token::Kind::end ||
                           reader.peek().location.line > tokens[reader.position() - 1].location.line;
        if (!ended)
            reader.fail_expected("the end of the line");
    }
    return terms;
}

}  // namespace lockstep::term_rewriting
