#pragma once
// The distinct subterms of one right side (Section 3: "sharing of subterms is applied whenever possible"): equal
// subterms become one term, which is built and evaluated once. Rules share nothing with each other. The two sides of a
// condition share with each other but not with the right side.

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
    std::vector<SharedNode> nodes;     // arguments before the nodes that use them
    std::vector<std::uint32_t> roots;  // node of each given root
};

SharedTerms share(Terms const& terms, std::span<TermId const> roots);

// Returns the number of nodes that one application of the rule makes: the distinct subterms of its right side without
// the variables. By definition, this number is the same for every engine.
std::uint64_t nodes_made(Terms const& terms, Rule const& rule);

}  // namespace lockstep::term_rewriting
