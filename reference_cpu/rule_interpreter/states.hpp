#pragma once
// The rules in plain loops, one state at a time: what every variant must equal. A rule sees the state as it was before
// the rule, and writes only its own instance.

#include <cstdint>
#include <vector>

#include "common/rule_interpreter/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::rule_interpreter {

// A checksum of B after `load` times B <- A * B, both n x n, made from (value, i). n is 1, 2, 4 or 8.
std::uint32_t product_checksum(unsigned n, std::uint32_t value, std::uint32_t i, unsigned load);

// The result column of a state of the synthetic bases after all steps; result_unset where nothing was stored. For
// `accesses` it is `accesses` columns one after the other.
std::vector<std::uint32_t> synthetic_results(Job const& job, std::uint64_t state);

// As the words of a unit: the sum over i of hash(i, result), low and high word, then how many are not result_unset.
bench::UnitResult summary_of(std::vector<std::uint32_t> const& results);

// All rules on one puzzle to the fixed point.
Conclusion conclude(Puzzle const& puzzle, unsigned bound, Until until);
bench::UnitResult words_of(Conclusion const& conclusion);

// One unit of any rule base.
bench::UnitResult run_state(Job const& job, std::uint64_t state);

}  // namespace lockstep::rule_interpreter
