#pragma once
// Specification of the rules in plain loops, one state at a time. Every variant must have equal results. A rule sees
// the state from before the rule and writes only its own instance.

#include <cstdint>
#include <vector>

#include "common/rule_interpreter/search_cpu.hpp"
#include "common/rule_interpreter/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::rule_interpreter {

// Returns a checksum of B after `load` products A * B, each of which replaces rows of B. A and B derive from (value,
// i).
std::uint32_t product_checksum(Shape const& shape, std::uint32_t value, std::uint32_t i, unsigned load);

// Returns the result column of a state of the synthetic bases after all steps, with result_unset in elements that were
// not stored. For `accesses`, it is the concatenation of `accesses` columns.
std::vector<std::uint32_t> synthetic_results(Job const& job, std::uint64_t state);

// Returns the words of a unit: the sum over i of hash(i, result), low and high word, then the number of results other
// than result_unset.
bench::UnitResult summary_of(std::vector<std::uint32_t> const& results);

// Applies all rules to one puzzle, to the fixed point.
Conclusion conclude(Puzzle const& puzzle, unsigned bound, Until until);
bench::UnitResult words_of(Conclusion const& conclusion);

// Solutions of a puzzle, at most `limit`, by backtracking: their number and the last.
cpu::Solutions backtrack(Puzzle puzzle, std::uint64_t limit);
std::uint64_t solutions_up_to(Puzzle const& puzzle, std::uint64_t limit);

// Returns the result of one unit of any rule base.
bench::UnitResult run_state(Job const& job, std::uint64_t state);

}  // namespace lockstep::rule_interpreter
