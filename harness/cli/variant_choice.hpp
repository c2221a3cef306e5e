#pragma once
// Which variant does a tool's work, and on which machine.

#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::cli {

// The machine called `name`, or for "auto" those of `automatic` that are here. Throws bench::Error for an unknown
// machine and for one that is not here.
std::vector<bench::Machine> machines_to_try(std::string const& name, std::vector<bench::Machine> const& automatic);

// The first variant that takes the axes: machine by machine, there in the order of `names`. Else throws bench::Error
// with `problem` and the last reason.
bench::Variant const& choose_variant(bench::Experiment const& experiment, bench::Axes const& axes,
                                     std::vector<bench::Machine> const& machines, std::vector<std::string> const& names,
                                     std::string const& problem);

}  // namespace lockstep::cli
