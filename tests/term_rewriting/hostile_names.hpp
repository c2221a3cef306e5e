#pragma once
// A system whose names are given: both engines' answers and the generated texts must not depend on them.

#include <map>
#include <string>
#include <vector>

#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {

// The names of the system, in this order: a sort, four symbols, two variables.
using Names = std::vector<std::string>;

inline Names const plain_names = {"Nat", "zero", "suc", "plus", "half", "x", "y"};

// What the languages accept as names although it means something to a compiler, to Maude or to OCaml.
inline std::vector<Names> const accepted_names = {
    {"int", "operator", "__asm__", "namespace", "template", "default", "__attribute__"},
    {"rewrite_0", "rewrite_1", "heap", "worker", "store", "lane", "term"},
    {"R\"x", "u8R\"lockstep", "a\"b", "a'b", "_'\"'\"", "L'x", "a\"\"\""},
    {"__FILE__", "__LINE__", "_Pragma", "defined", "NULL", "errno", "main"},
    {"sort", "op", "endfm", "reduce", "quit", "eq", "var"},
    {"type", "match", "let", "Obj", "true", "end", "of"},
};

// What the languages reject. The generators do not rely on that.
inline Names rejected_names() {
    std::string every_byte;
    for (unsigned code = 0; code < 256; ++code)
        every_byte += static_cast<char>(code);
    return {"*/ #error /*",
            "\";system(\"touch injected\");//",
            "a\\",
            "a?"
            "?/",
            "\n#error here\n",
            "\r\n}}}} \xe2\x80\xae \xff\xfe */ /*",
            every_byte};
}

// plus and half, with a condition; 7 / 2 = 3.
inline System system_with(Names const& names) {
    static std::string const text =
        "REC-SPEC Half\nSORTS 0\nCONS\n1 : -> 0\n2 : 0 -> 0\nOPNS\n3 : 0 0 -> 0\n4 : 0 -> 0\nVARS 5 6 : 0\nRULES\n"
        "3(1,6) -> 6\n3(2(5),6) -> 2(3(5,6))\n4(2(2(5))) -> 2(4(5)) if 3(5,1) -><- 5\n4(5) -> 1\n"
        "EVAL\n4(3(2(2(2(1))),2(2(2(2(1))))))\nEND-SPEC\n";
    std::string filled;
    for (char const c : text)
        filled += c >= '0' && c <= '6' ? names.at(static_cast<std::size_t>(c - '0')) : std::string(1, c);
    return parse_text(filled, "names.rec");
}

// The same system with names that no file can give it.
inline System renamed(Names const& names) {
    System system = system_with(plain_names);
    std::map<std::string, std::string> to;
    for (std::size_t i = 0; i < plain_names.size(); ++i)
        to[plain_names[i]] = names.at(i);
    system.sorts[0] = to.at(system.sorts[0]);
    for (Symbol& symbol : system.symbols)
        symbol.name = to.at(symbol.name);
    for (Rule& rule : system.rules) {
        for (std::string& variable : rule.variables)
            variable = to.at(variable);
    }
    return system;
}

inline std::vector<System> hostile_systems(std::size_t longest_name = 1000000) {
    std::vector<System> systems;
    for (Names const& names : accepted_names)
        systems.push_back(system_with(names));
    Names long_names;
    for (char const letter : std::string("nzsphxy"))
        long_names.emplace_back(longest_name, letter);
    systems.push_back(system_with(long_names));
    systems.push_back(renamed(rejected_names()));
    return systems;
}

}  // namespace lockstep::term_rewriting
