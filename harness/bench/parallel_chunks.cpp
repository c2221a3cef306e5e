#include "harness/bench/parallel_chunks.hpp"

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace lockstep::bench {

std::size_t chunk_count(std::size_t const count, std::size_t const min_per_chunk) {
    std::size_t const cores = std::max(1u, std::thread::hardware_concurrency());
    return std::clamp<std::size_t>(count / std::max<std::size_t>(min_per_chunk, 1), 1, cores);
}

void parallel_chunks(std::size_t const count, std::size_t const min_per_chunk,
                     std::function<void(std::size_t, std::size_t, std::size_t)> const& work) {
    std::size_t const parts = chunk_count(count, min_per_chunk);
    auto const one = [&](std::size_t const part) { work(part, count * part / parts, count * (part + 1) / parts); };
    std::vector<std::future<void>> others;  // get() rethrows exceptions; the destructor waits for each task
    for (std::size_t part = 1; part < parts; ++part)
        others.push_back(std::async(std::launch::async, one, part));
    one(0);
    for (std::future<void>& other : others)
        other.get();
}

}  // namespace lockstep::bench
