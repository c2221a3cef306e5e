#pragma once
// Translates a system for other tools: OCaml (native code) and Maude. Symbols keep their names if the tool allows
// them; other names are encoded injectively.

#include <string>

#include "common/term_rewriting/language/print.hpp"

namespace lockstep::term_rewriting {

// Writes a program: one type per sort, one function per defined symbol, rules in order. The program prints the normal
// forms like `lockstep rewrite`, and the rewriting time in seconds on standard error. It does not count rewrites. Build
// it with `ocamlopt`.
void emit_ocaml(System const& system, Write const& write);

// Writes a functional module, then one `reduce` per term. Maude prints the number of rewrites. Its rules are unordered:
// if rules of one symbol overlap, it may apply a different one.
void emit_maude(System const& system, Write const& write);

// Returns the name of a symbol in Maude's module.
std::string maude_name(std::string const& name);

}  // namespace lockstep::term_rewriting
