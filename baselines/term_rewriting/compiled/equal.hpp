#pragma once
// Compares normal forms as trees, for conditions.

#include "baselines/term_rewriting/compiled/memory.hpp"

namespace lockstep::term_rewriting::compiled {

bool equal_normal_forms(TermLayout const& layout, Word const* left, Word const* right);

}  // namespace lockstep::term_rewriting::compiled
