#pragma once
// The three input languages. Grammars (in LANGUAGES.md of the experiment, with examples):
//   paper  sort S = [struct] c(S1, S2) | d() ; ...  var x : S ; ...  eqn l = r ; ...  input t ;     (Listings 1, 7, 8)
//   rec    REC-SPEC n [: base], then SORTS, CONS, OPNS, VARS, RULES, EVAL line by line, END-SPEC
//   tpdb   (VAR x ...) (RULES l -> r ...)
// An error is a bench::Error "file:line:column: <problem> (<what was expected>) <suggestion>".

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/term_rewriting/language/system.hpp"
#include "common/term_rewriting/language/tokens.hpp"

namespace lockstep::term_rewriting {

// Returns the text of a file; throws bench::Error if the file does not exist. Tests and fuzzers supply their own.
using ReadFile = std::function<std::string(std::string const& path)>;

// Decides by the file extension .rec; for other files, by the text. TPDB's begins with a parenthesis.
Language language_of(std::string const& path, std::string const& text);

// Reads a system and the files that it includes. The system may have no input term: a command that needs one checks.
System parse_system(std::string const& path, ReadFile const& read);

// Adds a closed term over the system's symbols; errors show `name` as the file.
TermId parse_term(System& system, std::string const& text, std::string const& name);

// Adds the closed terms of a text with one term per line.
std::vector<TermId> parse_terms(System& system, std::string const& text, std::string const& name);

// Adds closed terms, one per text. Errors call them "term 1", "term 2" and so on.
std::vector<TermId> parse_each(System& system, std::span<std::string const> texts);

// For the parsers.
System parse_paper(Sources& sources, std::uint32_t file);
System parse_tpdb(Sources const& sources, std::uint32_t file);
System parse_rec(Sources& sources, std::uint32_t file, ReadFile const& read);

}  // namespace lockstep::term_rewriting
