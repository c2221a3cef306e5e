#include "common/term_rewriting/language/tokens.hpp"

#include <algorithm>
#include <array>

namespace lockstep::term_rewriting {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool continues_identifier(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '\'' || c == '"'; }

class Tokenizer {
public:
    Tokenizer(Sources const& sources, std::uint32_t file, Language language)
        : sources_(sources), text_(sources.text(file)), language_(language) {
        here_ = {file, 1, 1};
    }

    std::vector<Token> run() {
        while (at_ < text_.size())
            step();
        if (language_ == Language::rec)
            push(Token::Kind::end_line, 0);
        push(Token::Kind::end, 0);
        return std::move(tokens_);
    }

private:
    void advance(std::size_t bytes) {
        at_ += bytes;
        here_.column += static_cast<std::uint32_t>(bytes);
    }

    void push(Token::Kind kind, std::size_t bytes) {
        tokens_.push_back({kind, text_.substr(at_, bytes), here_});
        advance(bytes);
    }

    void step() {
        char const c = text_[at_];
        if (c == '\n') {
            // A term in parentheses may span several lines; a declaration or a rule may not.
            if (language_ == Language::rec && depth_ == 0)
                tokens_.push_back({Token::Kind::end_line, text_.substr(at_, 1), here_});
            ++at_;
            here_.column = 1;
            ++here_.line;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            advance(1);
        } else if (c == '%' || (c == '#' && language_ == Language::rec)) {
            if (c == '%' || !include())
                skip_line();
        } else if (is_letter(c) || c == '_') {
            identifier();
        } else if (is_digit(c) || (c == '-' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
            number();
        } else {
            sign();
        }
    }

    void skip_line() {
        while (at_ < text_.size() && text_[at_] != '\n')
            advance(1);
    }

    // #include "file"
    bool include() {
        constexpr std::string_view word = "#include";
        if (text_.substr(at_, word.size()) != word)
            return false;
        Location const start = here_;
        std::size_t const open = text_.find_first_of("\"\n", at_);
        std::size_t const close = open == text_.npos ? open : text_.find_first_of("\"\n", open + 1);
        if (close == text_.npos || text_[open] != '"' || text_[close] != '"') {
            throw sources_.error(start, "an include without a file", "expected a name in double quotes",
                                 "Write #include \"file.rec\".");
        }
        std::string_view const name = text_.substr(open + 1, close - open - 1);
        // A path ends at a NUL, so that two names would be one file.
        if (std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; })) {
            throw sources_.error(start, "an include of a file whose name has a control character",
                                 "no file of a system has one", "Write #include \"file.rec\".");
        }
        tokens_.push_back({Token::Kind::include, name, start});
        skip_line();
        return true;
    }

    void identifier() {
        std::size_t length = 1;
        while (at_ + length < text_.size() && continues_identifier(text_[at_ + length]))
            ++length;
        std::string_view const rest = text_.substr(at_);
        for (std::string_view const word :
             {std::string_view("REC-SPEC"), std::string_view("END-SPEC"), std::string_view("and-if"), eval_words}) {
            if (language_ == Language::rec && rest.starts_with(word))
                length = word.size();
        }
        if (language_ == Language::rec && rest.substr(0, length) == "META" && is_first_in_line() &&
            begins_block(length))
            meta(length);
        else
            push(Token::Kind::identifier, length);
    }

    bool is_first_in_line() const { return tokens_.empty() || tokens_.back().kind == Token::Kind::end_line; }

    bool begins_block(std::size_t after) const {
        std::size_t const next = text_.find_first_not_of(" \t\r\n", at_ + after);
        return next != text_.npos && text_[next] == '{';
    }

    // META { text for other tools }: of the text, which may contain any character, only input terms are read.
    void meta(std::size_t word) {
        Location const start = here_;
        advance(word);
        while (text_[at_] != '{')
            step();
        std::size_t open = 0;
        do {
            if (at_ == text_.size())
                throw sources_.error(start, "a META block without an end", "expected } before the end of the text");
            std::string_view const rest = text_.substr(at_);
            if (rest.starts_with(eval_words) && is_first_in_line()) {
                push(Token::Kind::identifier, eval_words.size());
                input_of_meta();
                continue;
            }
            open += rest[0] == '{' ? 1 : 0;
            open -= rest[0] == '}' ? 1 : 0;
            if (rest[0] == '\n')
                step();
            else
                advance(1);
        } while (open != 0);
    }

    // The rest of the line, or more lines if parentheses are open.
    void input_of_meta() {
        std::size_t const first = tokens_.size();
        while (at_ < text_.size() && text_[at_] != '}' && (tokens_.size() == first || !is_first_in_line()))
            step();
        if (!is_first_in_line())
            push(Token::Kind::end_line, 0);
    }

    void number() {
        std::size_t length = 1;
        while (at_ + length < text_.size() && is_digit(text_[at_ + length]))
            ++length;
        push(Token::Kind::number, length);
    }

    void sign() {
        // Longer signs first.
        static constexpr std::array<std::string_view, 11> signs = {"->/<-", "-><-", "->", "<>", "(", ")",
                                                                   ",",     ";",    ":",  "|",  "="};
        for (std::string_view const sign : signs) {
            if (text_.substr(at_, sign.size()) != sign)
                continue;
            if (sign == "(")
                ++depth_;
            if (sign == ")" && depth_ > 0)
                --depth_;
            push(Token::Kind::sign, sign.size());
            return;
        }
        unsigned const code = static_cast<unsigned char>(text_[at_]);
        std::string const shown =
            code >= 32 && code < 127 ? std::string(1, text_[at_]) : "of code " + std::to_string(code);
        throw sources_.error(here_, "unexpected character " + shown, "names are letters, digits, _ ' and \"");
    }

    Sources const& sources_;
    std::string_view text_;
    Language language_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    Location here_;
    std::vector<Token> tokens_;
};

}  // namespace

std::string describe(Token const& token) {
    switch (token.kind) {
        case Token::Kind::end_line:
            return "the end of the line";
        case Token::Kind::include:
            return "an include";
        case Token::Kind::end:
            return "the end of the text";
        default:
            return std::string(token.text);
    }
}

std::uint32_t Sources::add(std::string name, std::string text) {
    names_.push_back(std::move(name));
    texts_.push_back(std::move(text));
    return static_cast<std::uint32_t>(names_.size() - 1);
}

bench::Error Sources::error(Location const& location, std::string const& problem, std::string const& why,
                            std::string const& suggestion) const {
    return bench::Error(names_[location.file] + ":" + std::to_string(location.line) + ":" +
                            std::to_string(location.column) + ": " + problem,
                        why, suggestion);
}

std::vector<Token> tokenize(Sources const& sources, std::uint32_t file, Language language) {
    if (language == Language::tpdb)
        return tokenize_tpdb(sources, file);
    return Tokenizer(sources, file, language).run();
}

}  // namespace lockstep::term_rewriting
