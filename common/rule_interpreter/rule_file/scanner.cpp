#include "common/rule_interpreter/rule_file/scanner.hpp"

#include <algorithm>
#include <string_view>

#include "harness/bench/error.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

// The text with spaces in place of comments and of what is quoted; lines and positions stay.
std::string without_comments(std::string const& text) {
    std::string plain = text;
    auto const blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < std::min(to, plain.size()); ++i)
            plain[i] = plain[i] == '\n' ? '\n' : ' ';
    };
    std::size_t at = 0;
    while (at < text.size()) {
        char const c = text[at];
        std::size_t end = at + 1;
        if (text.compare(at, 2, "//") == 0) {
            end = std::min(text.find('\n', at), text.size());
            blank(at, end);
        } else if (text.compare(at, 2, "/*") == 0) {
            std::size_t const closed = text.find("*/", at + 2);
            end = closed == text.npos ? text.size() : closed + 2;
            blank(at, end);
        } else if (c == '"' || (c == '\'' && (at == 0 || !is_word(text[at - 1])))) {
            while (end < text.size() && text[end] != c && text[end] != '\n')
                end += text[end] == '\\' ? 2 : 1;
            blank(at + 1, end);
            ++end;
        }
        at = end;
    }
    return plain;
}

}  // namespace

Scanner::Scanner(std::string const& text, std::string const& path)
    : text_(text), path_(path), plain_(without_comments(text)) {}

std::size_t Scanner::line_of(std::size_t at) const {
    return 1 +
           static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

void Scanner::fail(std::size_t at, std::string const& why, std::string const& suggestion) const {
    throw bench::Error("invalid " + path_ + " line " + std::to_string(line_of(at)), why, suggestion);
}

void Scanner::skip_space() {
    while (at_ < plain_.size() && is_space(plain_[at_]))
        ++at_;
}

std::string Scanner::peek_word() const {
    std::size_t end = at_;
    while (end < plain_.size() && is_word(plain_[end]))
        ++end;
    return plain_.substr(at_, end - at_);
}

std::string Scanner::take_word(std::string const& what, std::size_t statement) {
    skip_space();
    std::string word = peek_word();
    if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) != 0)
        fail(std::min(at_, plain_.size()), "expected " + what, form_of(statement));
    at_ += word.size();
    return word;
}

bool Scanner::take(char c) {
    skip_space();
    if (at_ >= plain_.size() || plain_[at_] != c)
        return false;
    ++at_;
    return true;
}

void Scanner::expect(char c, std::size_t statement) {
    if (!take(c))
        fail(std::min(at_, plain_.size()), std::string("expected ") + c, form_of(statement));
}

std::string Scanner::form_of(std::size_t statement) const {
    if (plain_.compare(statement, 4, "rule") == 0)
        return "Write rule NAME over COLUMN { ... };";
    return plain_.compare(statement, 9, "parameter") == 0 ? "Write parameter TYPE NAME = NUMBER;"
                                                          : "Write column TYPE NAME[SIZE] = EXPRESSION;";
}

void Scanner::skip_code() {
    for (; at_ < plain_.size(); ++at_) {
        char const c = plain_[at_];
        if (c == '{' || c == '(' || c == '[')
            open_.push_back(at_);
        else if (c == '}' || c == ')' || c == ']')
            close(c);
        if (open_.empty() && (c == ';' || c == '}')) {
            ++at_;
            return;
        }
    }
}

void Scanner::close(char c) {
    char const opening = c == '}' ? '{' : c == ')' ? '(' : '[';
    if (open_.empty())
        fail(at_, std::string("there is no ") + opening + " for this " + c, "");
    if (plain_[open_.back()] != opening)
        fail(at_,
             std::string("this ") + c + " does not close the " + plain_[open_.back()] + " of line " +
                 std::to_string(line_of(open_.back())),
             "");
    open_.pop_back();
}

std::string Scanner::until(std::string const& ends, std::size_t statement) {
    std::size_t const from = at_;
    for (; at_ < plain_.size(); ++at_) {
        char const c = plain_[at_];
        if (open_.empty() && ends.find(c) != ends.npos)
            return text_.substr(from, at_ - from);
        if (c == '{' || c == '(' || c == '[')
            open_.push_back(at_);
        else if (c == '}' || c == ')' || c == ']')
            close(c);
    }
    require_closed();
    fail(statement, std::string("expected ") + ends[0] + " before the end of the file", form_of(statement));
}

void Scanner::require_closed() const {
    if (!open_.empty())
        fail(open_.back(), std::string("this ") + plain_[open_.back()] + " is not closed", "");
}

}  // namespace lockstep::rule_interpreter::rule_file
