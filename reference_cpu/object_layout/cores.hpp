#pragma once
// The cores of a simulation on the CPU. A baseline is timed on one core; its results, which are the reference of other
// variants, are computed on all of them.

#include <cstddef>

#include "harness/bench/parallel_chunks.hpp"

namespace lockstep::object_layout {

enum class Cores { one, all };

// Calls work(first, last) for ranges that together are 0 .. count - 1, at the same time on all cores.
template <class Work>
void for_each_range(Cores const cores, std::size_t const count, Work const& work) {
    constexpr std::size_t min_per_range = 4096;
    if (cores == Cores::one)
        return work(std::size_t{0}, count);
    bench::parallel_chunks(count, min_per_range,
                           [&](std::size_t, std::size_t const first, std::size_t const last) { work(first, last); });
}

// Calls work(index) for 0 .. count - 1.
template <class Work>
void for_each_index(Cores const cores, std::size_t const count, Work const& work) {
    for_each_range(cores, count, [&](std::size_t const first, std::size_t const last) {
        for (std::size_t index = first; index < last; ++index)
            work(index);
    });
}

}  // namespace lockstep::object_layout
