#pragma once
// The engine `fast` on the workloads of the experiment.

#include <memory>

#include "harness/bench/variant.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::term_rewriting::fast {

// `chains` as in Options.
std::unique_ptr<bench::Case> make_case(simt::Machine machine, bool chains, bench::Problem const& problem);

}  // namespace lockstep::term_rewriting::fast
