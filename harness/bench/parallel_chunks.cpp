#include "harness/bench/parallel_chunks.hpp"

#include <algorithm>

#include "harness/threads/pool.hpp"

namespace lockstep::bench {

std::size_t chunk_count(std::size_t const count, std::size_t const min_per_chunk) {
    return std::clamp<std::size_t>(count / std::max<std::size_t>(min_per_chunk, 1), 1, threads::shared_pool().width());
}

void parallel_chunks(std::size_t const count, std::size_t const min_per_chunk,
                     std::function<void(std::size_t, std::size_t, std::size_t)> const& work) {
    std::size_t const parts = chunk_count(count, min_per_chunk);
    threads::shared_pool().run(
        parts, [&](std::size_t const part) { work(part, count * part / parts, count * (part + 1) / parts); });
}

}  // namespace lockstep::bench
