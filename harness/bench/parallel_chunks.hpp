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

// Calls work(index) for 0 .. count - 1 in such chunks.
template <class Work>
void parallel_for(std::size_t const count, std::size_t const min_per_chunk, Work const& work) {
    parallel_chunks(count, min_per_chunk, [&](std::size_t, std::size_t const first, std::size_t const last) {
        for (std::size_t index = first; index < last; ++index)
            work(index);
    });
}

}  // namespace lockstep::bench
