#pragma once
// The door for results files: a document that does not fit results/schema.json is rejected here, and the code behind
// does not check its values. plots/load.py is the sibling. Internal to harness/bench, because it exposes JSON.

#include <optional>

#include "harness/bench/json_schema.hpp"

namespace lockstep::bench {

// Returns the first value that does not fit the schema, which is embedded in the program, or that contradicts another.
std::optional<Misfit> misfit_of_results(Json const& document);

}  // namespace lockstep::bench
