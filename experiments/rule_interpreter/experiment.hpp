#pragma once
// The experiment rule_interpreter: rules over many states, with and without thread compaction (Köster, Groß, Krüger
// 2020).

#include "harness/bench/variant.hpp"

namespace lockstep::rule_interpreter {

bench::Experiment make_experiment();

// Every variant and reference, in the order of the CMake list. Generated.
void add_variants(bench::Experiment& experiment);

}  // namespace lockstep::rule_interpreter
