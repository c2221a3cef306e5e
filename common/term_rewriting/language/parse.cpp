#include "common/term_rewriting/language/parse.hpp"

#include "common/term_rewriting/language/builder.hpp"

namespace lockstep::term_rewriting {

Language language_of(std::string const& path, std::string const& text) {
    if (path.ends_with(".rec"))
        return Language::rec;
    if (path.ends_with(".trs"))
        return Language::paper;
    return text.find("REC-SPEC") != std::string::npos ? Language::rec : Language::paper;
}

System parse_system(std::string const& path, ReadFile const& read) {
    Sources sources;
    std::string text = read(path);
    Language const language = language_of(path, text);
    std::uint32_t const file = sources.add(path, std::move(text));
    return language == Language::rec ? parse_rec(sources, file, read) : parse_paper(sources, file);
}

TermId parse_term(System& system, std::string const& text, std::string const& name) {
    Sources sources;
    std::uint32_t const file = sources.add(name, text);
    std::vector<Token> const tokens = tokenize(sources, file, Language::paper);
    TokenReader reader(sources, tokens);
    std::vector<std::string> const files = system.files;
    Builder builder(sources, std::move(system));
    struct Restore {  // returns the system to its owner even if the term is rejected
        Builder& builder;
        System& system;
        std::vector<std::string> const& files;
        ~Restore() {
            system = builder.finish();
            system.files = files;
        }
    } const restore{builder, system, files};
    TermId const term = builder.closed_term(reader);
    reader.skip(";");
    if (reader.peek().kind != Token::Kind::end)
        reader.fail_expected("the end of the term");
    return term;
}

}  // namespace lockstep::term_rewriting
