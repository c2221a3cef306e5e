#include "harness/jit/declarations.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::jit {

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

std::set<std::string> const keywords = [] {
    std::istringstream words(
        "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
        "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
        "constinit continue decltype default delete do double dynamic_cast else enum explicit export "
        "extern false float for friend goto if inline int long mutable namespace new noexcept not "
        "not_eq nullptr operator or or_eq private public register reinterpret_cast requires return "
        "short signed sizeof static static_assert static_cast struct switch template this thread_local "
        "throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t "
        "while xor xor_eq");
    return std::set<std::string>(std::istream_iterator<std::string>(words), {});
}();

}  // namespace

DeclarationReader::DeclarationReader(std::string const& text, std::string const& path, std::string const& kind,
                                     std::set<std::string> members)
    : text_(text), path_(path), kind_(kind), plain_(without_comments(text)), names_(std::move(members)) {
    if (text.find('\0') != text.npos)
        throw bench::Error("invalid " + path, "it has a NUL byte", "It must be text.");
    std::size_t depth = 0;
    for (std::size_t at = 0; at < plain_.size(); ++at) {
        char const c = plain_[at];
        if (c == '(' || c == '[' || c == '{')
            ++depth;
        else if ((c == ')' || c == ']' || c == '}') && depth > 0)
            --depth;
        if (depth > max_nesting)
            fail(at, "more than " + std::to_string(max_nesting) + " brackets inside one another", "Nest it less.");
    }
    names_.insert(type_names().begin(), type_names().end());
    names_.insert(keywords.begin(), keywords.end());
}

std::size_t DeclarationReader::line_of(std::size_t at) const {
    return 1 +
           static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

void DeclarationReader::fail(std::size_t at, std::string const& why, std::string const& suggestion) const {
    throw bench::Error("invalid " + path_ + " line " + std::to_string(line_of(at)), why, suggestion);
}

void DeclarationReader::skip_space() {
    while (at_ < plain_.size() && is_space(plain_[at_]))
        ++at_;
}

std::string DeclarationReader::peek_word() const {
    std::size_t end = at_;
    while (end < plain_.size() && is_word(plain_[end]))
        ++end;
    return plain_.substr(at_, end - at_);
}

std::string DeclarationReader::take_word(std::string const& what, std::size_t statement) {
    skip_space();
    std::string word = peek_word();
    if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) != 0)
        fail(std::min(at_, plain_.size()), "expected " + what, form_of(statement));
    at_ += word.size();
    return word;
}

bool DeclarationReader::take(char c) {
    skip_space();
    if (at_ >= plain_.size() || plain_[at_] != c)
        return false;
    ++at_;
    return true;
}

void DeclarationReader::expect(char c, std::size_t statement) {
    if (!take(c))
        fail(std::min(at_, plain_.size()), std::string("expected ") + c, form_of(statement));
}

bool DeclarationReader::begins(std::string const& word) const {
    if (peek_word() != word)
        return false;
    std::size_t at = at_ + word.size();
    while (at < plain_.size() && is_space(plain_[at]))
        ++at;
    return at < plain_.size() && is_word(plain_[at]);
}

Type DeclarationReader::take_type(std::size_t statement) {
    std::string const name = take_word("a type", statement);
    auto const found = std::find(type_names().begin(), type_names().end(), name);
    if (found == type_names().end())
        fail(at_ - 1, "unknown type " + name, bench::suggestion(name, type_names()));
    return static_cast<Type>(found - type_names().begin());
}

std::string DeclarationReader::take_name(std::string const& what, std::size_t statement) {
    std::string name = take_word("the name of the " + what, statement);
    if (declared_.contains(name))
        fail(at_ - 1, "the name " + name + " is declared twice", "Choose another name.");
    if (names_.contains(name) || name.find("__") != name.npos)
        fail(at_ - 1, "the name " + name + " has a meaning already", "Choose another name.");
    declared_.insert(name);
    return name;
}

ParameterLine DeclarationReader::take_parameter(std::size_t statement) {
    at_ += std::string_view("parameter").size();
    ParameterLine line;
    line.line = line_of(statement);
    line.type = take_type(statement);
    line.name = take_name("parameter", statement);
    expect('=', statement);
    line.value = plain_until(";", statement);
    ++at_;
    return line;
}

void DeclarationReader::skip_directive() {
    std::size_t const start = at_++;
    skip_space();
    if (peek_word() == "include")
        fail(start, kind_ + " cannot include a header",
             "The types and functions that it can use are declared already.");
    do
        at_ = std::min(plain_.find('\n', at_), plain_.size() - 1) + 1;
    while (at_ >= 2 && at_ < plain_.size() && plain_[at_ - 2] == '\\');
}

void DeclarationReader::blank(std::string& code, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
        code[i] = code[i] == '\n' ? '\n' : ' ';
}

void DeclarationReader::skip_code() {
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

void DeclarationReader::close(char c) {
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

std::string DeclarationReader::until(std::string const& ends, std::size_t statement) {
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

std::string DeclarationReader::plain_until(std::string const& ends, std::size_t statement) {
    std::size_t const from = at_;
    until(ends, statement);
    return plain_.substr(from, at_ - from);
}

void DeclarationReader::require_closed() const {
    if (!open_.empty())
        fail(open_.back(), std::string("this ") + plain_[open_.back()] + " is not closed", "");
}

}  // namespace lockstep::jit
