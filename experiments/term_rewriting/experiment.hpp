#pragma once
// The experiment as the program sees it.

#include "harness/bench/variant.hpp"

namespace lockstep::term_rewriting {

bench::Experiment make_experiment();

}  // namespace lockstep::term_rewriting
