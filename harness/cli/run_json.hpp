#pragma once
// What a run printed with --json.

#include <string>
#include <vector>

#include "harness/bench/runner.hpp"
#include "harness/cli/comparison.hpp"

namespace lockstep::cli {

// Every finished case, the settings that were refused, the fastest case of each setting, and where the results are.
std::string run_document(Comparison const& comparison, bench::RunSummary const& summary,
                         std::vector<bench::RefusedSetting> const& refused, bench::Provenance const& provenance);

// --dry-run: the cases that a run would have.
std::string plan_document(std::vector<bench::PlannedCase> const& cases,
                          std::vector<bench::RefusedSetting> const& refused);

}  // namespace lockstep::cli
