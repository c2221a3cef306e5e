#pragma once
// What `lockstep interpret` says about the states of a built-in rule base.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/rule_interpreter/workload.hpp"
#include "harness/cli/json_output.hpp"

namespace lockstep::rule_interpreter {

// The text of --csv. `file`: of the puzzles, if they are from one.
std::string csv_of(Job const& job, std::vector<bench::UnitResult> const& results,
                   std::optional<PuzzleFile> const& file);

// Prints the outcome, with up to `show` boards.
void print(Job const& job, std::vector<bench::UnitResult> const& results, std::uint64_t show);

// The same as members of a JSON document.
std::vector<cli::JsonMember> members_of(Job const& job, std::vector<bench::UnitResult> const& results,
                                        std::uint64_t show);

}  // namespace lockstep::rule_interpreter
