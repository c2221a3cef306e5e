// `__constant__ float table[16];` becomes a variable of this translation unit, as with nvcc, whose bytes the access
// checks know.

#include <utility>

#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

struct Variable {
    std::size_t begin;  // tokens
    std::size_t end;    // of the semicolon
    Declaration declaration;
    bool is_extern = false;
    bool is_static = false;
    bool is_constant = false;
};

bool is_qualifier(std::string_view word) {
    return word == "__constant__" || word == "__device__" || word == "__managed__";
}

// Reads the declaration with the qualifier at `at`. Returns false if it declares no variable.
bool read(std::vector<Token> const& code, std::size_t at, Variable& variable) {
    std::size_t begin = at;
    while (begin > 0 && code[begin - 1].text != ";" && code[begin - 1].text != "{" && code[begin - 1].text != "}") {
        --begin;
    }
    if (code[begin].text == "template" || code[begin].text == "using" || code[begin].text == "typedef") {
        return false;
    }
    variable = {begin, begin, {}};
    std::size_t i = begin;
    for (; i < code.size() && code[i].text != ";"; ++i) {
        std::string_view const text = code[i].text;
        if (text == "__global__" || text == "operator") {
            return false;
        }
        variable.is_extern |= text == "extern";
        variable.is_static |= text == "static" || text == "inline" || text == "constexpr";
        variable.is_constant |= text == "__constant__" || text == "constexpr";
        if (text == "(" || text == "[" || text == "{") {
            i = closing(code, i);
        }
    }
    variable.end = i;
    if (i >= code.size()) {
        return false;
    }
    variable.declaration = declaration_of(code, begin, i);
    if (variable.declaration.names.empty()) {
        return false;
    }
    Declaration::Name const& first = variable.declaration.names.front();
    return first.initializer >= i || code[first.initializer].text != "(";  // else it is a function
}

template <class Visit>
void visit_variables(Source const& source, Scopes const& scopes, Visit visit) {
    for (std::size_t i = 0; i < source.code.size(); ++i) {
        Variable variable;
        if (scopes.at_namespace[i] && is_qualifier(source.code[i].text) && read(source.code, i, variable)) {
            visit(variable);
            i = variable.end;
        }
    }
}

}  // namespace

void add_extern_variables(Source const& source, Scopes const& scopes, std::set<std::string>& names) {
    visit_variables(source, scopes, [&](Variable const& variable) {
        for (Declaration::Name const& name : variable.declaration.names) {
            if (variable.is_extern) {
                names.emplace(source.code[name.token].text);
            }
        }
    });
}

void rewrite_device_variables(Source& source, Scopes const& scopes, std::set<std::string> const& declared_extern) {
    visit_variables(source, scopes, [&](Variable const& variable) {
        if (variable.is_extern) {
            return;
        }
        std::string registered;
        bool is_shared = variable.is_static;
        for (Declaration::Name const& name : variable.declaration.names) {
            std::string const text(source.code[name.token].text);
            is_shared |= declared_extern.count(text) != 0;
            registered += " [[maybe_unused]] static bool const lockstep_registered_" + text +
                          " = ::lockstep::simt::emulate::register_variable(" + text + ", " +
                          (variable.is_constant ? "true" : "false") + ", \"" + text + "\");";
        }
        std::size_t const begin = source.code[variable.begin].begin;
        std::size_t const end = source.code[variable.end].end;
        source.replace(begin, begin, is_shared ? "" : "static ");
        source.replace(end, end, registered);
    });
}

}  // namespace lockstep::simt::emulate
