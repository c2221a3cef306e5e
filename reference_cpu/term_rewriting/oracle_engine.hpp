#pragma once
// The executable specification: a term graph, rules tried in order, innermost and leftmost, every application counted.
// It generates no code and has no optimisations. It does not recurse, so only memory limits the depth of terms.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

// One application of a rule. Terms longer than some hundred characters are cut, and end in "...".
struct Rewrite {
    RuleId rule = 0;
    std::string redex;
    std::string contractum;
};

// Called for the first `max` rewrites of each run.
struct OnRewrite {
    std::uint64_t max = 0;
    std::function<void(Rewrite const&)> call;
    std::function<bool(RuleId)> wants = {};  // the rules of which `call` hears; all of them without it
};

std::unique_ptr<Engine> make_oracle(System const& system);
std::unique_ptr<Engine> make_oracle(System const& system, OnRewrite on_rewrite);

}  // namespace lockstep::term_rewriting
