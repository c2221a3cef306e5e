#pragma once
// A range of numbers in parts, one a core.

#include <cstddef>
#include <functional>

namespace lockstep::bench {

// Calls work(part, first, last) for consecutive parts of 0 .. count - 1, at once, each of `min_per_chunk`
// numbers or more unless it is the only one. When all have ended, rethrows what one of them has thrown.
void parallel_chunks(std::size_t count, std::size_t min_per_chunk,
                     std::function<void(std::size_t part, std::size_t first, std::size_t last)> const& work);

// How many parts that are.
std::size_t chunk_count(std::size_t count, std::size_t min_per_chunk);

}  // namespace lockstep::bench
