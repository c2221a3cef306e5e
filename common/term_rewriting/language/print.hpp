#pragma once
// Prints terms as text, without recursion.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

// How symbols and constants look in the target language.
struct PrintStyle {
    std::function<std::string(SymbolId)> symbol;
    std::function<std::string(std::uint32_t)> variable;
    std::string_view constant_suffix = "";  // after a symbol without arguments
    std::string_view separator = ",";
    std::optional<Integers> integers = {};  // written as numbers
};

using Write = std::function<void(std::string_view)>;

// Writes the text in pieces of at most about 64 KiB, so that a large normal form need not fit in memory twice. A shared
// term is written at each of its occurrences.
void print_term(Terms const& terms, TermId root, PrintStyle const& style, Write const& write);

// Returns the term in the notation of both languages: f(a,b), constants without parentheses.
std::string to_string(System const& system, TermId term, Rule const* rule = nullptr);
std::string to_string(System const& system, Terms const& terms, TermId term);

PrintStyle plain_style(System const& system, Rule const* rule = nullptr);

}  // namespace lockstep::term_rewriting
