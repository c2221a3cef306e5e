// `cudaFree(p);` as a statement becomes `Discarded("cudaFree"), cudaFree(p);`, so that the runtime knows that the
// program does not look at the result (cuda_api/discarded.hpp).

#include <algorithm>
#include <array>

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

// Without cudaGetLastError and cudaPeekAtLastError, which ask for errors, and without what fails here but not on
// another machine. A prefix ends with `*`.
constexpr std::array<std::string_view, 19> calls = {
    "cudaMalloc*", "cudaFree*",          "cudaMemcpy*",           "cudaMemset*",          "cudaHostAlloc",
    "cudaHostR*",  "cudaHostUnregister", "cudaMemPrefetchAsync",  "cudaMemAdvise",        "cudaSetDevice",
    "cudaStream*", "cudaEvent*",         "cudaLaunch*",           "cudaGraph*",           "cudaFuncSetAttribute",
    "cudaCreate*", "cudaDestroy*",       "cudaDeviceSynchronize", "cudaThreadSynchronize"};

bool is_api_call(std::string_view name) {
    return std::any_of(calls.begin(), calls.end(), [&](std::string_view call) {
        bool const is_prefix = call.back() == '*';
        return is_prefix ? name.substr(0, call.size() - 1) == call.substr(0, call.size() - 1) : name == call;
    });
}

// Whether token `before` ends a statement, or opens a block or the body of an `if` or a loop.
bool is_behind_statement(std::vector<Token> const& tokens, std::size_t before) {
    std::string_view const text = tokens[before].text;
    if (text == ")") {
        std::size_t const open = opening(tokens, before);
        std::string_view const head = open == 0 || open >= tokens.size() ? "" : tokens[open - 1].text;
        return head == "if" || head == "for" || head == "while";
    }
    return text == ";" || text == "{" || text == "}" || text == "else" || text == "do";
}

}  // namespace

void add_macro_names(Source const& source, std::set<std::string>& names) {
    for (std::vector<Token> const& directive : source.directives) {
        if (directive.size() > 2 && directive[1].text == "define") {
            names.emplace(directive[2].text);
        }
    }
}

void rewrite_discarded_calls(Source& source, std::vector<Token> const& tokens, Scopes const* scopes,
                             std::set<std::string> const& macros) {
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        std::string const name(tokens[i].text);
        if (tokens[i].kind != TokenKind::identifier || tokens[i + 1].text != "(" || !is_api_call(name) ||
            macros.count(name) != 0 || !is_behind_statement(tokens, i - 1)) {
            continue;
        }
        std::size_t const close = closing(tokens, i + 1);
        bool const is_statement = close + 1 < tokens.size() && tokens[close + 1].text == ";";
        Function const* const function = scopes == nullptr ? nullptr : scopes->function_of(i);
        bool const on_host = scopes == nullptr || (function != nullptr && !function->runs_on_device_only());
        if (is_statement && on_host) {
            source.replace(tokens[i].begin, tokens[i].begin, "::lockstep::simt::cuda::Discarded(\"" + name + "\"), ");
        }
    }
}

}  // namespace lockstep::simt::emulate
