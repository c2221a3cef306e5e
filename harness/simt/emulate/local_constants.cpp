// Local constants of class types in device code. g++ keeps a `const` struct in memory as a whole, because it does not
// split a variable that it may not write; nvcc loads only the members that are used.

#include <algorithm>
#include <array>

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

// Words of types that are no classes, and words with which other statements begin.
constexpr std::array<std::string_view, 28> others = {
    "auto",     "bool",     "case",      "char",  "const",    "constexpr", "decltype", "double",    "else",   "extern",
    "float",    "goto",     "int",       "long",  "register", "return",    "short",    "signed",    "size_t", "static",
    "unsigned", "volatile", "constinit", "using", "typedef",  "void",      "wchar_t",  "__shared__"};

// The end of a type's name that begins at `at`: `a::b<c>::d`, and `typename` before it; `at` if there is none.
std::size_t behind_type(std::vector<Token> const& code, std::size_t at) {
    std::size_t i = at + (code[at].text == "typename" ? 1 : 0);
    for (; i + 1 < code.size(); ++i) {
        if (code[i].kind != TokenKind::identifier ||
            std::find(others.begin(), others.end(), code[i].text) != others.end()) {
            return at;
        }
        ++i;
        if (code[i].text == "<") {
            unsigned depth = 0;
            for (; i < code.size(); ++i) {
                if (code[i].text == "(" || code[i].text == "{") {
                    i = closing(code, i);
                } else if (code[i].text == "<") {
                    ++depth;
                } else if (code[i].text == ">" && --depth == 0) {
                    break;
                } else if (code[i].text == ";" || code[i].text == "&" || code[i].text == "|") {
                    return at;  // a comparison
                }
            }
            ++i;
        }
        if (i >= code.size() || code[i].text != "::") {
            return i;
        }
    }
    return at;
}

bool is_between_statements(std::vector<Token> const& code, std::size_t at) {
    std::string_view const before = code[at - 1].text;
    return before == ";" || before == "{" || before == "}";
}

// Whether `name =` is at `at`.
bool is_initialized(std::vector<Token> const& code, std::size_t at) {
    return at + 2 < code.size() && code[at].kind == TokenKind::identifier && code[at + 1].text == "=" &&
           code[at + 2].text != "=";
}

}  // namespace

void rewrite_local_constants(Source& source, Scopes const& scopes) {
    std::vector<Token> const& code = source.code;
    for (Function const& function : scopes.functions) {
        if (!function.is_kernel && !function.is_device) {
            continue;
        }
        for (std::size_t i = function.open + 1; i < std::min(function.close, code.size()); ++i) {
            if (!is_between_statements(code, i)) {
                continue;
            }
            bool const is_before = code[i].text == "const";
            std::size_t const begin = i + (is_before ? 1 : 0);
            std::size_t const end = begin < code.size() ? behind_type(code, begin) : begin;
            bool const is_behind = !is_before && end < code.size() && code[end].text == "const";
            if (end == begin || !(is_before || is_behind) || !is_initialized(code, end + (is_behind ? 1 : 0))) {
                continue;
            }
            source.replace(code[i].begin, code[begin].begin, "LOCKSTEP_CONSTANT(");
            source.replace(code[end - 1].end, is_behind ? code[end].end : code[end - 1].end, ")");
        }
    }
}

}  // namespace lockstep::simt::emulate
