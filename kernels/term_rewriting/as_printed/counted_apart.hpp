#pragma once
// A case whose program is timed without counting rewrites. The paper's kernels do not count: Section 4 gives rates, and
// the number of rewrites follows from the input.

#include <functional>
#include <memory>

#include "harness/bench/variant.hpp"

namespace lockstep::term_rewriting::as_printed {

using MakeCase = std::function<std::unique_ptr<bench::Case>()>;

// `counted` makes the same case with a program that counts. It runs once, before `timed` is made, so that the memory of
// both is never held together. Every result of the timed program has to have the normal form and the number of passes
// of the counted run. Then its result is that run's, with the applications of each rule; else it is the timed program's
// own, without applications, which no reference has.
std::unique_ptr<bench::Case> make_case_counted_apart(bench::Problem const& problem, MakeCase const& counted,
                                                     MakeCase const& timed);

}  // namespace lockstep::term_rewriting::as_printed
