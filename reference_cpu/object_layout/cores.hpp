#pragma once
// The cores of a simulation on the CPU. A baseline is timed on one core; its results, which are the reference of other
// variants, are computed on all of them.

#include <cstddef>

#include "harness/bench/parallel_chunks.hpp"

namespace lockstep::object_layout {

enum class Cores { one, all };

// Of `count` numbers.
inline std::size_t min_per_core(Cores const cores, std::size_t const count) {
    return cores == Cores::one ? count : 4096;
}

// Calls work(first, last) for ranges that together are 0 .. count - 1, at the same time on all cores.
template <class Work>
void for_each_range(Cores const cores, std::size_t const count, Work const& work) {
    bench::parallel_chunks(count, min_per_core(cores, count),
                           [&](std::size_t, std::size_t const first, std::size_t const last) { work(first, last); });
}

// Calls work(index) for 0 .. count - 1.
template <class Work>
void for_each_index(Cores const cores, std::size_t const count, Work const& work) {
    bench::parallel_for(count, min_per_core(cores, count), work);
}

}  // namespace lockstep::object_layout
