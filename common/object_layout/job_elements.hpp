#pragma once
// The elements of program `jobs`, which all variants share.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::object_layout {

// Number of consecutive elements in a unit of program `jobs`. The result of a unit is the positions of its elements in
// the job array, folded into one word.
inline constexpr std::uint64_t elements_per_unit = 1024;

std::uint64_t job_units(bench::Axes const& axes);

// Returns the class tag of each element, uniform on 0 .. types - 1, from (seed, element). A problem with fewer units
// has a shorter base array. Throws bench::Error if the problem does not begin with the first unit.
std::vector<unsigned> element_tags(bench::Problem const& problem);

// Returns the result of a unit, given the position of each element.
bench::UnitResult folded_positions(std::vector<unsigned> const& positions, std::uint64_t unit);

// The reference: the result of a unit by Algorithm 1 as printed. The first call computes and stores the full array, so
// all units can be verified after a case has called this function once.
bench::UnitResult positions_of_unit(bench::Problem const& problem, std::uint64_t unit);

// Length of the job array, in which each class is padded to a multiple of the warp size.
std::size_t padded_jobs(std::span<unsigned const> tags, unsigned types, unsigned warp);

// Empty if the program is jobs; otherwise the reason why a variant of it cannot run.
std::string jobs_unsupported_reason(bench::Axes const& axes);

}  // namespace lockstep::object_layout
