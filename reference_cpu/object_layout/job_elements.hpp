#pragma once
// Elements whose jobs are reordered, alike for every variant.

#include <span>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::object_layout {

// The class tag of each element, uniform on 0 .. types - 1, from (seed, element). The base array has as many elements as the
// problem has units. Throws bench::Error for a problem that does not begin with the first.
std::vector<unsigned> element_tags(bench::Problem const& problem);

// Length of the job array: whole warps of each class.
std::size_t padded_jobs(std::span<unsigned const> tags, unsigned types, unsigned warp);

// Empty where the axes ask for program jobs; a shard has no job array of its own.
std::string refuses_jobs(bench::Axes const& axes);

}  // namespace lockstep::object_layout
