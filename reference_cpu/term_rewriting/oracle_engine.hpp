#pragma once
// The executable specification: a term graph, rules tried in order, innermost and leftmost, every application counted.
// It generates no code and has no optimisations. It does not recurse, so only memory limits the depth of terms.

#include <memory>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

std::unique_ptr<Engine> make_oracle(System const& system);

}  // namespace lockstep::term_rewriting
