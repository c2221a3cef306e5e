// `__constant__ float table[16];` becomes a variable of this translation unit, as with nvcc, whose bytes the access
// checks know, with guards before and behind it. Each variable gets a declaration of its own for them.

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
    bool is_inline = false;  // its place is that of another file's definition, where no guard is
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
        if (text == "__global__" || text == "__shared__" || text == "operator") {
            return false;
        }
        variable.is_extern |= text == "extern";
        variable.is_static |= text == "static" || text == "inline" || text == "constexpr";
        variable.is_inline |= text == "inline";
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

// The text of [begin, end) in one line.
std::string line_of_tokens(std::vector<Token> const& code, std::size_t begin, std::size_t end) {
    std::string line;
    for (std::size_t i = begin; i < end; ++i) {
        line += std::string(code[i].text) + " ";
    }
    return line;
}

// The first token of the declarator whose name is at `name`: `*` and what follows it belong to the declarator.
std::size_t declarator(std::vector<Token> const& code, std::size_t begin, std::size_t name) {
    int angles = 0;
    for (std::size_t i = begin; i < name; ++i) {
        std::string_view const text = code[i].text;
        if (text == "(" || text == "[") {
            i = closing(code, i);
        }
        angles += text == "<" ? 1 : text == ">" ? -1 : 0;
        if (angles == 0 && (text == "*" || text == "&")) {
            return i;
        }
    }
    return name;
}

// Whether the declaration can be written once per name. A type that it defines, it defines once; and commas between
// the arguments of a template look like those between names.
bool can_split(std::vector<Token> const& code, Variable const& variable) {
    std::vector<Declaration::Name> const& names = variable.declaration.names;
    for (std::size_t i = variable.begin; i < names.front().token; ++i) {
        if (code[i].text == "{") {
            return false;
        }
    }
    for (std::size_t i = names.front().token; i < variable.end; ++i) {
        if (code[i].text == "<") {
            return false;
        }
    }
    return true;
}

void split(Source& source, Variable const& variable, std::string const& start) {
    std::vector<Declaration::Name> const& names = variable.declaration.names;
    if (names.size() == 1 || !can_split(source.code, variable)) {
        return;
    }
    std::size_t const type_end = declarator(source.code, variable.begin, names.front().token);
    std::string const type = line_of_tokens(source.code, variable.begin, type_end);
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
        Token const& comma = source.code[names[i].end];
        source.replace(comma.begin, comma.end, "; " + start + type);
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
                          " = ::lockstep::simt::emulate::register_" + (variable.is_inline ? "" : "guarded_") +
                          "variable(" + text + ", " + (variable.is_constant ? "true" : "false") + ", \"" + text +
                          "\");";
        }
        std::string const start =
            std::string(variable.is_inline ? "" : "LOCKSTEP_GUARDED ") + (is_shared ? "" : "static ");
        std::size_t const begin = source.code[variable.begin].begin;
        std::size_t const end = source.code[variable.end].end;
        source.replace(begin, begin, start);
        split(source, variable, start);
        source.replace(end, end, (variable.is_inline ? "" : " LOCKSTEP_GUARD") + registered);
    });
}

}  // namespace lockstep::simt::emulate
