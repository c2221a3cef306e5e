// Loops of device code whose number of rounds is known: nvcc unrolls them, and a C++ compiler only if it is told to.

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

// nvcc 13 unrolls loops of about a hundred rounds whole.
constexpr std::string_view rounds = "100";

// The number in `#pragma unroll 4` or `#pragma unroll(4)`; `rounds` if there is none.
std::string_view number_of(std::vector<Token> const& directive) {
    for (Token const& token : directive) {
        if (token.kind == TokenKind::number) {
            return token.text;
        }
    }
    return rounds;
}

// Whether the loop whose `for` is token `begin` has no condition: g++ refuses to unroll it.
bool is_endless(std::vector<Token> const& code, std::size_t begin) {
    unsigned depth = 0;
    for (std::size_t i = begin + 1; i + 1 < code.size(); ++i) {
        std::string_view const text = code[i].text;
        if (text == "(" || text == "[" || text == "{") {
            ++depth;
        } else if (text == ")" || text == "]" || text == "}") {
            if (--depth == 0)
                return false;  // for (T x : range)
        } else if (text == ";" && depth == 1) {
            return code[i + 1].text == ";";
        }
    }
    return false;
}

}  // namespace

void rewrite_loops(Source& source, Scopes const& scopes) {
    auto directive = source.directives.begin();
    for (std::size_t i = 0; i < source.code.size(); ++i) {
        Token const& token = source.code[i];
        std::string_view unrolled = rounds;
        for (; directive != source.directives.end() && directive->front().begin < token.begin; ++directive) {
            bool const is_unroll =
                directive->size() > 2 && (*directive)[1].text == "pragma" && (*directive)[2].text == "unroll";
            unrolled = is_unroll ? number_of(*directive) : rounds;
        }
        Function const* const function = token.text == "for" ? scopes.function_of(i) : nullptr;
        if (function != nullptr && (function->is_kernel || function->is_device) && !is_endless(source.code, i)) {
            source.replace(token.begin, token.begin, "LOCKSTEP_LOOP(" + std::string(unrolled) + ") ");
        }
    }
}

}  // namespace lockstep::simt::emulate
