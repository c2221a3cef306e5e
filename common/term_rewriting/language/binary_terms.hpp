#pragma once
// Terms in binary, with their sharing. All numbers are little-endian:
//     8 bytes   "LSTERMS1"
//     u32       symbols; for each: u32 arguments, u32 length of the name, the name
//     u64       nodes; for each: u32 index of its symbol, u32 index of an earlier node per argument
//     u64       terms; for each: u32 index of its node
// A file ends after its last term. Symbols are found by name, so a file fits every system that declares them. A reader
// needs memory in proportion to the bytes that it is given, whatever numbers they hold.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/term_rewriting/language/print.hpp"
#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

bool is_binary_terms(std::string_view bytes);

// Adds the terms to the system's, and sets its shares_redexes. Throws bench::Error "name: byte N: problem" for bytes
// that are not in this format, and for symbols, numbers of arguments and sorts that are not the system's.
std::vector<TermId> read_binary_terms(System& system, std::string_view bytes, std::string const& name);

// Writes closed terms over the system's symbols, in pieces. `terms` may be another pool than the system's.
void write_binary_terms(System const& system, Terms const& terms, std::span<TermId const> roots, Write const& write);

}  // namespace lockstep::term_rewriting
