#pragma once
// The specification, executed: a term graph, rules tried one after the other, innermost and left-most, every
// application counted. Nothing is generated and nothing is clever; no recursion, so depth is bounded by memory alone.

#include <memory>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

std::unique_ptr<Engine> make_oracle(System const& system);

}  // namespace lockstep::term_rewriting
