#include "harness/simt/emulate/tokens.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace lockstep::simt::emulate {
namespace {

bool starts_identifier(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
bool continues_identifier(char c) { return starts_identifier(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    std::vector<Token> run() {
        while (at_ < text_.size()) {
            step();
        }
        return std::move(tokens_);
    }

private:
    void step() {
        char const c = text_[at_];
        if (c == '\n') {
            directive_ = 0;
            line_is_empty_ = true;
            ++at_;
        } else if (c == '\\' && is_line_end(at_ + 1)) {
            at_ = text_.find('\n', at_) + 1;  // a spliced line
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at_;
        } else if (text_.substr(at_, 2) == "//") {
            skip_line();
        } else if (text_.substr(at_, 2) == "/*") {
            std::size_t const end = text_.find("*/", at_ + 2);
            at_ = end == text_.npos ? text_.size() : end + 2;
        } else {
            if (c == '#' && line_is_empty_) {
                directive_ = ++directives_;
            }
            line_is_empty_ = false;
            token(c);
        }
    }

    void token(char c) {
        std::size_t const begin = at_;
        if (starts_identifier(c)) {
            while (at_ < text_.size() && continues_identifier(text_[at_])) {
                ++at_;
            }
            std::string_view const word = text_.substr(begin, at_ - begin);
            bool const raw = !word.empty() && word.back() == 'R' && word.size() <= 3 && at(at_) == '"';
            bool const prefix = word == "L" || word == "u" || word == "U" || word == "u8";
            if (raw) {
                raw_literal();
                add(TokenKind::literal, begin);
            } else if (prefix && (at(at_) == '"' || at(at_) == '\'')) {
                literal(at(at_));
                add(TokenKind::literal, begin);
            } else {
                add(TokenKind::identifier, begin);
            }
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 ||
                   (c == '.' && std::isdigit(static_cast<unsigned char>(at(at_ + 1))) != 0)) {
            number();
            add(TokenKind::number, begin);
        } else if (c == '"' || c == '\'') {
            literal(c);
            add(TokenKind::literal, begin);
        } else {
            std::string_view const two = text_.substr(at_, 2);
            at_ += two == "::" || two == "->" || two == "##" ? 2 : 1;
            add(TokenKind::punctuation, begin);
        }
    }

    void number() {
        while (at_ < text_.size()) {
            char const c = text_[at_];
            bool const exponent_sign = (c == '+' || c == '-') && at_ > 0 &&
                                       std::string_view("eEpP").find(text_[at_ - 1]) != std::string_view::npos;
            bool const separator = c == '\'' && continues_identifier(at(at_ + 1));
            if (!continues_identifier(c) && c != '.' && !exponent_sign && !separator) {
                return;
            }
            ++at_;
        }
    }

    void literal(char quote) {
        for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
            if (text_[at_] == '\n') {
                return;
            }
            if (text_[at_] == '\\') {
                ++at_;
            }
        }
        at_ = std::min(at_ + 1, text_.size());
    }

    void raw_literal() {
        std::size_t const open = text_.find('(', at_);
        if (open == text_.npos) {
            return literal('"');
        }
        std::string const end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
        std::size_t const found = text_.find(end, open);
        at_ = found == text_.npos ? text_.size() : found + end.size();
    }

    void skip_line() {
        while (at_ < text_.size() && text_[at_] != '\n') {
            at_ += text_[at_] == '\\' && is_line_end(at_ + 1) ? text_.find('\n', at_) + 1 - at_ : 1;
        }
    }

    bool is_line_end(std::size_t at) const {
        return this->at(at) == '\n' || (this->at(at) == '\r' && this->at(at + 1) == '\n');
    }
    char at(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
    void add(TokenKind kind, std::size_t begin) {
        tokens_.push_back({kind, begin, at_, directive_, text_.substr(begin, at_ - begin)});
    }

    std::string_view text_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    unsigned directive_ = 0;
    unsigned directives_ = 0;
    bool line_is_empty_ = true;
};

constexpr std::string_view opens = "([{";
constexpr std::string_view closes = ")]}";

bool is_one_of(Token const& token, std::string_view brackets) {
    return token.kind == TokenKind::punctuation && token.text.size() == 1 &&
           brackets.find(token.text[0]) != std::string_view::npos;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text) { return Lexer(text).run(); }

std::size_t closing(std::vector<Token> const& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        depth += is_one_of(tokens[i], opens) ? 1 : is_one_of(tokens[i], closes) ? -1 : 0;
        if (depth == 0) {
            return i;
        }
    }
    return tokens.size();
}

std::size_t opening(std::vector<Token> const& tokens, std::size_t close) {
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
        depth += is_one_of(tokens[i], closes) ? 1 : is_one_of(tokens[i], opens) ? -1 : 0;
        if (depth == 0) {
            return i;
        }
    }
    return tokens.size();
}

Token const* too_deep(std::vector<Token> const& tokens, std::size_t most) {
    std::size_t depth = 0;
    for (Token const& token : tokens) {
        if (token.text == "(" || token.text == "[" || token.text == "{") {
            ++depth;
        } else if ((token.text == ")" || token.text == "]" || token.text == "}") && depth > 0) {
            --depth;
        }
        if (depth > most) {
            return &token;
        }
    }
    return nullptr;
}

bool is_triple(std::vector<Token> const& tokens, std::size_t at, char character) {
    if (at + 2 >= tokens.size()) {
        return false;
    }
    for (std::size_t i = at; i < at + 3; ++i) {
        if (tokens[i].text.size() != 1 || tokens[i].text[0] != character ||
            tokens[i].begin != tokens[at].begin + i - at) {
            return false;
        }
    }
    return true;
}

unsigned line_of(std::string_view text, std::size_t offset) {
    return 1 +
           static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

}  // namespace lockstep::simt::emulate
