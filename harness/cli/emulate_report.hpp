#pragma once
// Reports of `lockstep emulate` for continuous integration.

#include <string>
#include <vector>

#include "harness/cli/emulate_run.hpp"

namespace lockstep::cli {

// SARIF 2.1.0: a result per finding, without those that an earlier run found at the same line, and one per run that
// failed in another way.
std::string sarif_report(std::vector<EmulatedRun> const& runs);

// JUnit: a test case per run.
std::string junit_report(std::string const& program, std::vector<EmulatedRun> const& runs);

}  // namespace lockstep::cli
