// `int values[32];` outside of functions, and `static int values[32];` in a function of the host: the access checks
// learn that kernels may not access these bytes. Registered is only what the text shows to be a variable of the host,
// so that a device's variable in disguise (a macro with __device__) is not reported.

#include <algorithm>
#include <array>

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

// A statement with one of these declares no variable of the host, or one that device code may read, or no certain one.
constexpr std::array<std::string_view, 22> no_host_words = {
    "extern",   "const",      "constexpr",    "constinit",   "typedef",      "using",        "template",  "friend",
    "operator", "__device__", "__constant__", "__managed__", "__shared__",   "__global__",   "namespace", "struct",
    "class",    "union",      "enum",         "asm",         "thread_local", "static_assert"};

class HostVariables {
public:
    HostVariables(Source& source, std::set<std::string> const& macros) : source_(source), macros_(macros) {}

    // The declaration in [begin, end), of which `end` is the semicolon.
    void declaration(std::size_t begin, std::size_t end) {
        std::vector<Token> const& code = source_.code;
        if (begin >= end || has_other(begin, end)) {
            return;
        }
        Declaration const declared = declaration_of(code, begin, end);
        if (declared.names.empty() || !is_plain_type(begin, declared.names.front().token)) {
            return;
        }
        if (code[declared.names.front().token].text == "auto") {
            return;  // a structured binding
        }
        std::string registered;
        // Commas between the arguments of a template look like those between names.
        bool const has_template = std::any_of(
            code.begin() + static_cast<std::ptrdiff_t>(declared.names.front().initializer),
            code.begin() + static_cast<std::ptrdiff_t>(end), [](Token const& token) { return token.text == "<"; });
        for (Declaration::Name const& name : declared.names) {
            if (has_template && &name != &declared.names.front()) {
                break;
            }
            if (name.initializer < end && code[name.initializer].text == "(") {
                return;  // it may be a function
            }
            std::string const text(code[name.token].text);
            registered += " LOCKSTEP_OF_HOST(" + text + ")";
        }
        source_.replace(code[end].end, code[end].end, registered);
    }

    bool has_macro(std::size_t begin, std::size_t end) const {
        std::vector<Token> const& code = source_.code;
        for (std::size_t i = begin; i < end; ++i) {
            if (macros_.count(std::string(code[i].text)) != 0) {
                return true;
            }
        }
        return false;
    }

private:
    bool has_other(std::size_t begin, std::size_t end) const {
        auto const is_other = [](Token const& token) {
            return std::find(no_host_words.begin(), no_host_words.end(), token.text) != no_host_words.end();
        };
        auto const code = source_.code.begin();
        return std::any_of(code + static_cast<std::ptrdiff_t>(begin), code + static_cast<std::ptrdiff_t>(end),
                           is_other);
    }

    // Words and template arguments only, none of which is a macro; no reference, which may refer to anything; no member
    // of a class or namespace.
    bool is_plain_type(std::size_t begin, std::size_t name) const {
        std::vector<Token> const& code = source_.code;
        bool const is_plain = std::none_of(code.begin() + static_cast<std::ptrdiff_t>(begin),
                                           code.begin() + static_cast<std::ptrdiff_t>(name), [](Token const& token) {
                                               return token.text == "(" || token.text == "&" || token.text == "&&" ||
                                                      token.text == "[" || token.text == "{" || token.text == "=";
                                           });
        return is_plain && code[name - 1].text != "::" && !has_macro(begin, name);
    }

    Source& source_;
    std::set<std::string> const& macros_;
};

// Calls visit(begin, semicolon) for the statements of a namespace that are no definitions of functions or classes.
template <class Visit>
void visit_declarations(Source const& source, Scopes const& scopes, Visit visit) {
    std::vector<Token> const& code = source.code;
    std::size_t begin = 0;
    bool may_have_body = false;  // it has parameters and no initializer so far
    bool has_initializer = false;
    auto const begin_at = [&](std::size_t i) {
        begin = i;
        may_have_body = has_initializer = false;
    };
    for (std::size_t i = 0; i < code.size(); ++i) {
        std::string_view const text = code[i].text;
        bool const opens_namespace = text == "{" && i + 1 < code.size() && scopes.at_namespace[i + 1];
        if (!scopes.at_namespace[i] || text == "}" || opens_namespace) {
            begin_at(i + 1);
        } else if (text == ";") {
            visit(begin, i);
            begin_at(i + 1);
        } else if (text == "=" && i > 0 && code[i - 1].text != "operator") {
            has_initializer = true;
        } else if (text == "(" || text == "[" || text == "{") {
            bool const is_body = text == "{" && may_have_body && !has_initializer;
            may_have_body |= text == "(";
            i = closing(code, i);
            if (is_body) {
                begin_at(i + 1);
            }
        }
    }
}

// Whether the brace opens the body of a lambda or function of the device: `[=] __device__ (int x) {`. A macro may stand
// for the qualifier.
bool opens_device_code(std::vector<Token> const& code, std::size_t brace, std::set<std::string> const& macros) {
    for (std::size_t i = brace; i-- > 0;) {
        std::string_view const text = code[i].text;
        if (text == "__device__" || text == "__global__" || macros.count(std::string(text)) != 0) {
            return true;
        }
        if (text == ";" || text == "{" || text == "}" || text == "(" || text == "[" || text == "]" || text == "=") {
            return false;
        }
        if (text == ")") {
            i = opening(code, i);
            if (i == code.size()) {
                return false;
            }
        }
    }
    return false;
}

}  // namespace

void rewrite_host_variables(Source& source, Scopes const& scopes, std::set<std::string> const& macros) {
    HostVariables variables(source, macros);
    visit_declarations(source, scopes, [&](std::size_t begin, std::size_t end) { variables.declaration(begin, end); });
    std::vector<Token> const& code = source.code;
    for (Function const& function : scopes.functions) {
        if (function.is_kernel || function.is_device || variables.has_macro(function.header, function.open)) {
            continue;
        }
        for (std::size_t i = function.open + 1; i < std::min(function.close, code.size()); ++i) {
            if (code[i].text == "{" && opens_device_code(code, i, macros)) {
                i = closing(code, i);
                continue;
            }
            std::string_view const before = code[i - 1].text;
            if (code[i].text != "static" || (before != ";" && before != "{" && before != "}")) {
                continue;
            }
            std::size_t end = i;
            while (end < function.close && code[end].text != ";") {
                bool const opens = code[end].text == "(" || code[end].text == "[" || code[end].text == "{";
                end = (opens ? closing(code, end) : end) + 1;
            }
            if (end < function.close) {
                variables.declaration(i, end);
            }
        }
    }
}

}  // namespace lockstep::simt::emulate
