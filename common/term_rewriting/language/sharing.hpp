#pragma once
// The distinct subterms of one right side (Section 3: "sharing of subterms is applied whenever possible"): equal
// subterms are one term, made and evaluated once. Sharing does not cross rules, and the two sides of a condition share
// with one another but not with the right side.

#include <span>
#include <vector>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

struct SharedNode {
    bool is_variable = false;
    std::uint32_t head = 0;                // symbol, or number of the variable
    std::vector<std::uint32_t> arguments;  // earlier nodes
};

struct SharedTerms {
    std::vector<SharedNode> nodes;     // arguments before what has them
    std::vector<std::uint32_t> roots;  // as asked for
};

SharedTerms share(Terms const& terms, std::span<TermId const> roots);

// Nodes that one application of the rule makes: the distinct subterms of its right side, variables apart. The same for
// every engine, by definition.
std::uint64_t nodes_made(Terms const& terms, Rule const& rule);

}  // namespace lockstep::term_rewriting
