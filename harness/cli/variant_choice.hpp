#pragma once
// Chooses the variant and the machine for a sub-command's work.

#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::cli {

// Throws bench::Error if there is no such machine. A GPU is called cuda.
void require_machine(std::string const& name);

// Returns the machine `name`, or for "auto" the available machines of `automatic`. Throws bench::Error if the machine
// is unknown or not available.
std::vector<bench::Machine> machines_to_try(std::string const& name, std::vector<bench::Machine> const& automatic);

// Returns the first variant that supports the axes: machine by machine, and per machine in the order of `names`. If
// there is none, throws bench::Error with `problem` and the last reason.
bench::Variant const& choose_variant(bench::Experiment const& experiment, bench::Axes const& axes,
                                     std::vector<bench::Machine> const& machines, std::vector<std::string> const& names,
                                     std::string const& problem);

}  // namespace lockstep::cli
