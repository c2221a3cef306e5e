#pragma once
// Job reordering, Algorithm 1 (Section 4.2, Appendix A). The job array holds indices into the base array, class by
// class. Each class starts at a multiple of the warp size, so no warp has jobs of two classes. The base array does not
// change. Entries that the algorithm leaves undefined hold no_job: their lanes are idle.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/object_layout/no_job.hpp"

namespace lockstep::object_layout::cpu {

// Counts the element visits of Algorithm 1: each of its two scans visits each element of the base array once.
struct ScanCount {
    std::uint64_t visits = 0;
};

// Algorithm 1 as printed: builds an array of indices per class, then concatenates them in the order of the class tags.
// Throws bench::Error if a tag is not in 0 .. types - 1.
std::vector<unsigned> job_array_as_printed(std::span<unsigned const> tags, unsigned types, unsigned warp,
                                           ScanCount* scans = nullptr);

// The same by counting: the first scan determines where each class begins, so the second writes each index only once.
std::vector<unsigned> job_array(std::span<unsigned const> tags, unsigned types, unsigned warp);

// The same into existing memory: `result` has padded_jobs() entries, `starts` at least job_counters(types).
std::size_t job_counters(unsigned types);
void job_array_into(std::span<unsigned const> tags, unsigned types, unsigned warp, std::span<unsigned> starts,
                    std::span<unsigned> result);

}  // namespace lockstep::object_layout::cpu
