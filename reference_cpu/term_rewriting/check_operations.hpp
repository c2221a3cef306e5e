#pragma once
// Operations on integers without a result are errors (common/term_rewriting/language/integers.hpp).

#include <cstdint>
#include <vector>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

// The rules that are applied to an operation without a result. Give them to a run as Limits::stop_after: after one of
// them, rewriting may not terminate.
std::vector<RuleId> rules_without_result(System const& system);

// Throws bench::Error if the run, which may have ended early, had an operation without a result: it names the first one
// in the oracle's order. `applications` are those of the run that rewrote the input.
void check_operations(System const& system, TermId input, std::vector<std::uint64_t> const& applications,
                      Limits const& limits);

}  // namespace lockstep::term_rewriting
