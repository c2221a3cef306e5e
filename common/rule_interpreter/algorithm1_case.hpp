#pragma once
// Algorithm 1 as a case, for `auto`, which chooses it where loads are the bound.
// baselines/rule_interpreter/algorithm1.cu defines it. For `.cu` files.

#include <memory>
#include <string>

#include "harness/bench/variant.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

std::unique_ptr<bench::Case> make_algorithm1(bench::Problem const& problem);
std::string algorithm1_unsupported_reason(bench::Axes const& axes);

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
