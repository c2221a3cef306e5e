// Device code that stays out: see rewrites.hpp for how it is refused.

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

// `asm` as a statement; in `void f() asm("name")` it names a symbol.
bool is_assembly(std::vector<Token> const& tokens, std::size_t i) {
    bool const is_keyword = tokens[i].text == "asm" || tokens[i].text == "__asm__" || tokens[i].text == "__asm";
    if (!is_keyword || i + 1 >= tokens.size()) {
        return false;
    }
    std::string_view const next = tokens[i + 1].text;
    return next == "(" || next == "volatile" || next == "__volatile__" || next == "__volatile";
}

bool is_call(std::vector<Token> const& tokens, std::size_t i, std::string_view name) {
    bool const is_member = i > 0 && (tokens[i - 1].text == "." || tokens[i - 1].text == "->");
    return tokens[i].text == name && !is_member && i + 1 < tokens.size() && tokens[i + 1].text == "(";
}

void refuse(Source& source, std::size_t begin, std::size_t end, std::string const& feature) {
    source.replace(begin, end, "lockstep_refused_" + feature + newlines_of(source.between(begin, end)));
}

}  // namespace

void rewrite_refused(Source& source, std::vector<Token> const& tokens, Scopes const* scopes) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        Function const* const function = scopes == nullptr ? nullptr : scopes->function_of(i);
        bool const on_device = function != nullptr && function->runs_on_device_only();
        bool const may_run_on_device =
            function == nullptr ? tokens[i].directive != 0 : function->is_kernel || function->is_device;
        if (is_assembly(tokens, i) && may_run_on_device) {
            std::size_t open = i + 1;
            while (open < tokens.size() && tokens[open].text != "(") {
                ++open;
            }
            std::size_t const close = closing(tokens, open);
            if (close < tokens.size()) {
                std::string const text(source.between(tokens[i].begin, tokens[close].end));
                // An empty template only keeps the compiler from moving code.
                bool const is_empty = tokens[open + 1].text == "\"\"";
                if (is_empty) {
                    continue;
                }
                std::string spliced;  // in a directive, newlines must stay spliced
                for (char const c : text) {
                    spliced += c == '\n' ? (tokens[i].directive != 0 ? "\\\n" : "\n") : "";
                }
                source.replace(tokens[i].begin, tokens[close].end, "lockstep_refused_inline_ptx()" + spliced);
                i = close;
            }
        } else if (on_device && tokens[i].text == "new" && tokens[i - 1].text != "operator") {
            refuse(source, tokens[i].begin, tokens[i].end, "device_new ");
        } else if (on_device && (is_call(tokens, i, "malloc") || is_call(tokens, i, "free"))) {
            refuse(source, tokens[i].begin, tokens[i].end, "device_malloc");
        }
    }
}

}  // namespace lockstep::simt::emulate
