// Tokens of TPDB's format. A name is any run of printable characters without blanks and ( ) " | , and ends before ->
// and ==. A (COMMENT ...) holds any text with balanced parentheses and yields no token.

#include "common/term_rewriting/language/tokens.hpp"

namespace lockstep::term_rewriting {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class TpdbTokenizer {
public:
    TpdbTokenizer(Sources const& sources, std::uint32_t file) : sources_(sources), text_(sources.text(file)) {
        here_ = {file, 1, 1};
    }

    std::vector<Token> run() {
        while (at_ < text_.size()) {
            if (is_blank(text_[at_]))
                advance();
            else if (!comment())
                token();
        }
        tokens_.push_back({Token::Kind::end, "", here_});
        return std::move(tokens_);
    }

private:
    void advance() {
        if (text_[at_++] == '\n') {
            here_.column = 1;
            ++here_.line;
        } else {
            ++here_.column;
        }
    }

    void push(Token::Kind kind, std::size_t bytes) {
        tokens_.push_back({kind, text_.substr(at_, bytes), here_});
        at_ += bytes;
        here_.column += static_cast<std::uint32_t>(bytes);
    }

    // Skips (COMMENT ...) at the top level.
    bool comment() {
        constexpr std::string_view word = "COMMENT";
        if (text_[at_] != '(' || depth_ != 0)
            return false;
        std::size_t next = at_ + 1;
        while (next < text_.size() && is_blank(text_[next]))
            ++next;
        std::size_t const after = next + word.size();
        if (text_.substr(next, word.size()) != word ||
            (after < text_.size() && !is_blank(text_[after]) && text_[after] != '(' && text_[after] != ')'))
            return false;
        Location const start = here_;
        std::size_t open = 0;
        do {
            if (at_ == text_.size())
                throw sources_.error(start, "a COMMENT without an end", "expected ) before the end of the text");
            open += text_[at_] == '(' ? 1 : 0;
            open -= text_[at_] == ')' ? 1 : 0;
            advance();
        } while (open != 0);
        return true;
    }

    void token() {
        std::string_view const rest = text_.substr(at_);
        for (std::string_view const sign : {"->=", "-><-", "->", "==", "(", ")", ",", "|"}) {
            if (!rest.starts_with(sign))
                continue;
            if (sign == "(")
                ++depth_;
            if (sign == ")" && depth_ > 0)
                --depth_;
            push(Token::Kind::sign, sign.size());
            return;
        }
        std::size_t length = 0;
        while (length < rest.size() && continues_name(rest.substr(length)))
            ++length;
        if (length == 0) {
            unsigned const code = static_cast<unsigned char>(rest[0]);
            throw sources_.error(here_, "unexpected character of code " + std::to_string(code),
                                 "a name has printable ASCII characters, but no \"");
        }
        push(Token::Kind::identifier, length);
    }

    static bool continues_name(std::string_view rest) {
        constexpr std::string_view ends = "()\"|,";
        return rest[0] > ' ' && rest[0] < 127 && ends.find(rest[0]) == ends.npos && !rest.starts_with("->") &&
               !rest.starts_with("==");
    }

    Sources const& sources_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    Location here_;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize_tpdb(Sources const& sources, std::uint32_t file) {
    return TpdbTokenizer(sources, file).run();
}

}  // namespace lockstep::term_rewriting
