#pragma once
// The same system for the tools that people have: OCaml (native code) and Maude. Symbols keep their names where the
// tool can have them; others are spelled out, injectively.

#include <string>

#include "common/term_rewriting/language/print.hpp"

namespace lockstep::term_rewriting {

// A program: one type per sort, one function per defined symbol, rules in order. Run, it prints the normal forms as
// `lockstep rewrite` does, and on standard error the seconds that rewriting took. It counts nothing. Build it with
// `ocamlopt`.
void emit_ocaml(System const& system, Write const& write);

// A functional module, then one `reduce` per term. Maude prints the number of rewrites. It knows no order of rules:
// where rules of one symbol overlap it may choose another.
void emit_maude(System const& system, Write const& write);

// The name of a symbol in Maude's module.
std::string maude_name(std::string const& name);

}  // namespace lockstep::term_rewriting
