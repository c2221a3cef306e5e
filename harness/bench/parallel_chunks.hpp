#pragma once
// Splits a range of numbers into chunks, one per core, and processes them in parallel.

#include <cstddef>
#include <functional>

namespace lockstep::bench {

// Calls work(part, first, last) in parallel for consecutive chunks of 0 .. count - 1. Each chunk has at least
// `min_per_chunk` numbers unless it is the only one. After all calls have returned, rethrows an exception of one of
// them, if any.
void parallel_chunks(std::size_t count, std::size_t min_per_chunk,
                     std::function<void(std::size_t part, std::size_t first, std::size_t last)> const& work);

// Number of chunks that parallel_chunks() uses.
std::size_t chunk_count(std::size_t count, std::size_t min_per_chunk);

}  // namespace lockstep::bench
