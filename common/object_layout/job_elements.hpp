#pragma once
// Elements whose jobs are reordered, alike for every variant.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::object_layout {

// A unit of the program `jobs` is this many consecutive elements. Its result is their positions in the job array,
// folded into one word.
inline constexpr std::uint64_t elements_per_unit = 1024;

std::uint64_t job_units(bench::Axes const& axes);

// The class tag of each element, uniform on 0 .. types - 1, from (seed, element). A problem of fewer units has a
// shorter base array. Throws bench::Error for a problem that does not begin with the first.
std::vector<unsigned> element_tags(bench::Problem const& problem);

// The result of a unit, from the position of each element.
bench::UnitResult folded_positions(std::vector<unsigned> const& positions, std::uint64_t unit);

// The same by Algorithm 1 as printed: the reference. The whole array is made at the first call and kept, so a case that
// asks once before it is verified lets every unit be verified.
bench::UnitResult positions_of_unit(bench::Problem const& problem, std::uint64_t unit);

// Length of the job array: whole warps of each class.
std::size_t padded_jobs(std::span<unsigned const> tags, unsigned types, unsigned warp);

// Empty where the axes ask for program jobs; a shard has no job array of its own.
std::string jobs_unsupported_reason(bench::Axes const& axes);

}  // namespace lockstep::object_layout
