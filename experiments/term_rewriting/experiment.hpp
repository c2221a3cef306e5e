#pragma once
// Experiment term_rewriting: innermost term rewriting (van Eerd et al. 2021).

#include "harness/bench/variant.hpp"

namespace lockstep::term_rewriting {

bench::Experiment make_experiment();

}  // namespace lockstep::term_rewriting
