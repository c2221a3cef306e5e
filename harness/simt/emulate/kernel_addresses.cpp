// Untyped addresses of kernels: `(void*)kernel<T>` becomes a cast of what register_kernel returns, which is the kernel,
// so that the runtime knows the kernel that a program launches or adds to a graph by such an address.

#include <algorithm>
#include <array>

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

constexpr std::array<std::string_view, 8> specifiers = {"__launch_bounds__", "__attribute__", "__align__",
                                                        "alignas",           "decltype",      "__maxnreg__",
                                                        "__cluster_dims__",  "__declspec"};

// The name before the parameters of a kernel, or nothing. Template parameters are before __global__.
std::string_view name_of(std::vector<Token> const& code, Function const& function) {
    std::size_t i = function.header;
    while (i < function.open && code[i].text != "__global__") {
        ++i;
    }
    for (; i < function.open; ++i) {
        if (code[i].text != "(") {
            continue;
        }
        Token const& before = code[i - 1];
        bool const is_name = before.kind == TokenKind::identifier &&
                             std::find(specifiers.begin(), specifiers.end(), before.text) == specifiers.end();
        if (is_name) {
            return before.text;
        }
        i = closing(code, i);
    }
    return {};
}

bool is_word(std::vector<Token> const& tokens, std::size_t i, std::string_view word) {
    return i < tokens.size() && tokens[i].text == word;
}

// After `void*`, with or without const, or `begin` if there is no such type.
std::size_t after_void_pointer(std::vector<Token> const& tokens, std::size_t begin) {
    std::size_t i = begin + (is_word(tokens, begin, "const") ? 1 : 0);
    if (!is_word(tokens, i, "void")) {
        return begin;
    }
    i += is_word(tokens, i + 1, "const") ? 2 : 1;
    return is_word(tokens, i, "*") ? i + 1 : begin;
}

// The operand of a cast to `void*` that begins at `i`, or `tokens.size()`.
std::size_t operand_of_cast(std::vector<Token> const& tokens, std::size_t i) {
    bool const is_named = is_word(tokens, i, "reinterpret_cast") && is_word(tokens, i + 1, "<");
    std::size_t const type = i + (is_named ? 2 : 1);
    if (!is_named && !is_word(tokens, i, "(")) {
        return tokens.size();
    }
    std::size_t const after = after_void_pointer(tokens, type);
    bool const closes = after != type && is_word(tokens, after, is_named ? ">" : ")");
    if (!closes || (is_named && !is_word(tokens, after + 1, "("))) {
        return tokens.size();
    }
    return std::min(after + (is_named ? 2 : 1), tokens.size());
}

// After the template arguments that begin at `i`, if there are some.
std::size_t after_arguments(std::vector<Token> const& tokens, std::size_t i) {
    if (!is_word(tokens, i, "<")) {
        return i;
    }
    int depth = 0;
    for (std::size_t at = i; at < tokens.size(); ++at) {
        std::string_view const text = tokens[at].text;
        if (text == ";" || text == "{") {
            break;
        }
        at = text == "(" || text == "[" ? closing(tokens, at) : at;
        depth += text == "<" ? 1 : text == ">" ? -1 : 0;
        if (depth == 0) {
            return at + 1;
        }
    }
    return i;
}

// After the name of a kernel with its scopes and template arguments, or `begin` if another expression begins there.
std::size_t after_kernel(std::vector<Token> const& tokens, std::size_t begin, std::set<std::string> const& kernels) {
    std::size_t i = begin + (is_word(tokens, begin, "&") ? 1 : 0);
    i += is_word(tokens, i, "::") ? 1 : 0;
    while (i + 1 < tokens.size() && tokens[i].kind == TokenKind::identifier && tokens[i + 1].text == "::") {
        i += 2;
    }
    if (i >= tokens.size() || kernels.count(std::string(tokens[i].text)) == 0) {
        return begin;
    }
    std::size_t const end = after_arguments(tokens, i + 1);
    bool const goes_on = is_word(tokens, end, "(") || is_word(tokens, end, "<") || is_word(tokens, end, ".") ||
                         is_word(tokens, end, "[") || is_word(tokens, end, "->");
    return goes_on ? begin : end;
}

}  // namespace

void add_kernel_names(Source const& source, Scopes const& scopes, std::set<std::string>& names) {
    for (Function const& function : scopes.functions) {
        if (function.is_kernel) {
            names.emplace(name_of(source.code, function));
        }
    }
    names.erase("");
}

void rewrite_kernel_addresses(Source& source, std::vector<Token> const& tokens, std::set<std::string> const& kernels) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        std::size_t const begin = operand_of_cast(tokens, i);
        std::size_t const end = begin == tokens.size() ? begin : after_kernel(tokens, begin, kernels);
        if (end == begin) {
            continue;
        }
        std::string name(source.between(tokens[begin].begin, tokens[end - 1].end));
        std::erase_if(name, [](char c) { return c == '\n' || c == '\r' || c == '\\' || c == '"' || c == '&'; });
        source.replace(tokens[begin].begin, tokens[begin].begin, "::lockstep::simt::cuda::register_kernel(");
        source.replace(tokens[end - 1].end, tokens[end - 1].end, ", \"" + name + "\")");
        i = end - 1;
    }
}

}  // namespace lockstep::simt::emulate
