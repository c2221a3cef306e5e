#pragma once
// Job reordering, Algorithm 1 (Section 4.2, Appendix A): an array of indices into the base array, class after class,
// each class from a multiple of the warp size on, so that no warp has two classes. The base array stays as it is.
// Entries that the algorithm leaves undefined hold no_job: their lanes have nothing to do.

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::object_layout::cpu {

inline constexpr unsigned no_job = 0xffffffffu;

// What Algorithm 1 did: each element of the base array is visited once by each of two scans.
struct ScanCount {
    std::uint64_t visits = 0;
};

// As printed: an array of indices for each class, then all of them one after the other. `tags` are 0 .. types - 1;
// throws bench::Error for another one. Classes come in the order of their tags.
std::vector<unsigned> job_array_as_printed(std::span<unsigned const> tags, unsigned types, unsigned warp,
                                           ScanCount* scans = nullptr);

// The same by counting: where each class begins is known after the first scan, so the second writes each index once.
std::vector<unsigned> job_array(std::span<unsigned const> tags, unsigned types, unsigned warp);

// The same into memory that is there: `result` has padded_jobs() entries, `starts` at least types + 1.
void job_array_into(std::span<unsigned const> tags, unsigned types, unsigned warp, std::span<unsigned> starts,
                    std::span<unsigned> result);

}  // namespace lockstep::object_layout::cpu
