#include "experiments/replications/weave_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "experiments/replications/weave_tokens.hpp"

namespace lockstep::replications {

namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// The position of the first character at or after `at` that is no space, or the text's size.
std::size_t past_spaces(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text[at]))
        ++at;
    return at;
}

// The name or number that ends at `end`.
std::string_view word_before(std::string_view text, std::size_t end) {
    std::size_t from = end;
    while (from > 0 && is_name_character(text[from - 1]))
        --from;
    return text.substr(from, end - from);
}

bool is_one_of(std::string_view text, std::size_t at, std::string_view characters) {
    return at < text.size() && characters.find(text[at]) != characters.npos;
}

// A keyword before an expression. Another word before a name is a type.
bool precedes_expression(std::string_view word) {
    constexpr std::array<std::string_view, 16> keywords = {"return",    "else",     "do",       "throw", "case", "goto",
                                                           "co_return", "co_yield", "co_await", "and",   "or",   "not",
                                                           "xor",       "new",      "delete",   "sizeof"};
    return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

// True if a bracket at the position begins a lambda. Otherwise it is a subscript, an array's size or an attribute.
bool begins_lambda(std::string_view text, std::size_t at, std::size_t before) {
    if (is_one_of(text, past_spaces(text, at + 1), "["))
        return false;
    if (before == 0)
        return true;
    if (is_name_character(text[before - 1])) {
        std::string_view const word = word_before(text, before);
        return precedes_expression(word) && word != "new" && word != "delete";
    }
    return !is_one_of(text, before - 1, ")]\"'[");
}

// The position after the comment or literal at `at`, or `at` if there is neither.
std::size_t past_other_text(std::string_view text, std::size_t at) {
    std::string_view const two = text.substr(at, 2);
    if (two == "//")
        return std::min(text.find('\n', at), text.size());
    if (two == "/*") {
        std::size_t const end = text.find("*/", at + 2);
        return end == text.npos ? text.size() : end + 2;
    }
    if (text[at] != '"' && text[at] != '\'')
        return at;
    std::size_t const end = past_literal(text, at);
    return end == text.npos ? at + 1 : std::min(end, text.size());
}

}  // namespace

void Macros::define(std::string_view macro) {
    std::string_view const name = word_at(macro, 0);
    if (name.empty())
        return;
    bool has_asm = false;
    for (std::size_t at = name.size(); at < macro.size();) {
        std::string_view const word = word_at(macro, at);
        at += word.empty() ? 1 : word.size();
        if (word.empty())
            continue;
        users_[word].push_back(name);
        has_asm |= is_asm(word);
        if (word == "__global__" || kernels_.contains(word))
            mark(kernels_, name);
        if (replications::is_attribute(word) || attributes_.contains(word))
            mark(attributes_, name);
        if (replications::needs_all_lanes(word) || barriers_.contains(word))
            mark(barriers_, name);
    }
    if (has_asm && !instruction_of_all_lanes(macro).empty())
        mark(barriers_, name);
}

void Macros::mark(Names& names, std::string_view name) {
    std::vector<std::string_view> next = {name};
    while (!next.empty()) {
        std::string_view const macro = next.back();
        next.pop_back();
        auto const users = users_.find(macro);
        if (names.insert(macro).second && users != users_.end())
            next.insert(next.end(), users->second.begin(), users->second.end());
    }
}

void Aliases::add(std::string_view name, int depth) {
    open_.push_back({name, depth});
    ++counts_[name];
}

void Aliases::close(int depth) {
    for (; !open_.empty() && open_.back().depth > depth; open_.pop_back()) {
        auto const count = counts_.find(open_.back().name);
        if (--count->second == 0)
            counts_.erase(count);
    }
}

void Brackets::expect_body() {
    expected_ = true;
    expected_parentheses_ = parentheses;
    expected_square_ = square;
}

void Brackets::begin_function() {
    expected_ = false;
    inner_.reset();
}

void Brackets::follow(std::string_view text, std::size_t at, std::size_t before) {
    char const c = text[at];
    if (is_name_character(c)) {
        std::string_view const word = word_at(text, at);
        if (word == "struct" || word == "class" || word == "union")
            expect_body();
        return;
    }
    if (c == '[' && begins_lambda(text, at, before))
        expect_body();
    parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
    square += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == '{') {
        ++depth;
        bool const begins = expected_ && parentheses == expected_parentheses_ && square == expected_square_;
        if (begins && !inner_)
            inner_ = depth;
        expected_ &= !begins;
    }
    if (c == '}') {
        if (inner_ == depth)
            inner_.reset();
        --depth;
    }
    if (c == ';' || parentheses < expected_parentheses_)
        expected_ = false;
}

bool needs_all_lanes(std::string_view name) {
    constexpr std::array<std::string_view, 8> prefixes = {"__syncthreads", "__syncwarp", "__shfl", "__ballot",
                                                          "__match_",      "__reduce_",  "__any",  "__all"};
    return name == "grid_barrier" || name == "cooperative_groups" ||
           std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string_view instruction_of_all_lanes(std::string_view text) {
    auto const belongs = [&](std::size_t at) {
        return at < text.size() && (is_name_character(text[at]) || text[at] == '.' || text[at] == ':');
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::size_t const from = at;
        while (belongs(at))
            ++at;
        std::string_view const one = text.substr(from, at - from);
        if (one.starts_with("bar.") || one.starts_with("barrier.") || one.starts_with("shfl.") ||
            one.starts_with("vote.") || one.find(".sync") != one.npos)
            return one;
        // The letter of \n or \t is none of the instruction.
        at += at < text.size() && text[at] == '\\' ? 1 : 0;
    }
    return {};
}

bool is_asm(std::string_view name) { return name == "asm" || name == "__asm__" || name == "__asm"; }

bool is_attribute(std::string_view name) {
    constexpr std::array<std::string_view, 8> names = {"__launch_bounds__", "__cluster_dims__", "__maxnreg__",
                                                       "__block_size__",    "__attribute__",    "__attribute",
                                                       "__declspec",        "alignas"};
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::size_t before_spaces(std::string_view text, std::size_t at) {
    while (at > 0 && is_space(text[at - 1]))
        --at;
    return at;
}

bool precedes_member(std::string_view text) {
    return text.ends_with('.') || text.ends_with("->") || text.ends_with("::");
}

bool is_declared(std::string_view before, std::string_view text, std::size_t end) {
    std::string_view const word = word_before(before, before.size());
    bool const is_type =
        !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) == 0 && !precedes_expression(word);
    return is_type && is_one_of(text, past_spaces(text, end), "=;{[(,:");
}

std::string_view alias_of(std::string_view before, std::string_view text, std::size_t end) {
    if (!is_one_of(text, past_spaces(text, end), ";,)}"))
        return {};
    while (before.ends_with('&') || before.ends_with(':'))
        before = before.substr(0, before_spaces(before, before.size() - 1));
    if (!before.ends_with('=') && !before.ends_with('{'))
        return {};
    before = before.substr(0, before_spaces(before, before.size() - 1));
    std::string_view const name = word_before(before, before.size());
    before = before.substr(0, before_spaces(before, before.size() - name.size()));
    return precedes_member(before) || precedes_expression(name) ? std::string_view() : name;
}

std::set<std::string_view> names_of_parameters(std::string_view declaration) {
    std::set<std::string_view> names;
    for (std::size_t at = 0; at < declaration.size();) {
        std::string_view const word = word_at(declaration, at);
        if (word.empty()) {
            at = std::max(past_other_text(declaration, at), at + 1);
            continue;
        }
        at += word.size();
        if (is_one_of(declaration, past_spaces(declaration, at), ",)=["))
            names.insert(word);
    }
    return names;
}

std::pair<std::size_t, std::size_t> parenthesis_after(std::string_view text, std::size_t end) {
    constexpr std::size_t most = 10000;  // characters of arguments
    text = text.substr(0, end + most);
    std::size_t at = past_spaces(text, end);
    int angles = is_one_of(text, at, "<") ? 1 : 0;
    int others = 0;
    for (at += static_cast<std::size_t>(angles); angles > 0; ++at) {
        if (at >= text.size() || is_one_of(text, at, "{};"))
            return {text.npos, at};
        others += is_one_of(text, at, "([") ? 1 : is_one_of(text, at, ")]") ? -1 : 0;
        if (others == 0)
            angles += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
    }
    at = past_spaces(text, at);
    return {is_one_of(text, at, "(") ? at : text.npos, at};
}

}  // namespace lockstep::replications
