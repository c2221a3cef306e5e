#pragma once
// The two algorithms that the slides start from (slide "Traditional sequential algorithms"), as specifications.
//
//   list:   write down the candidates; k times: pick one of the n left, take it out (the last one moves into its place)
//   probe:  probe random sites until k of them were candidates and not yet occupied
//
// Both draw unbiased integers. list takes k steps and k draws; probe takes a random number of them, N (H_N - H_(N-k))
// expected.

#include <cstdint>
#include <string>
#include <vector>

#include "common/random_grids/workload.hpp"
#include "reference_cpu/random_grids/stream.hpp"

namespace lockstep::random_grids {

// below(n) is a uniform integer in 0..n-1.
template <class Below>
Words draw_by_list(Words const& candidates, unsigned occupied, Below&& below) {
    std::vector<unsigned> list;
    for (unsigned bit = 0; bit < 32 * candidates.size(); ++bit) {
        if ((candidates[bit / 32] >> bit % 32 & 1u) != 0)
            list.push_back(bit);
    }
    Words subset(candidates.size(), 0);
    for (unsigned step = 0; step < occupied; ++step) {
        unsigned const at = below(static_cast<unsigned>(list.size()));
        subset[list[at] / 32] |= 1u << list[at] % 32;
        list[at] = list.back();
        list.pop_back();
    }
    return subset;
}

// probes, where given, counts them.
template <class Below>
Words draw_by_probe(Words const& candidates, Shape const& shape, unsigned occupied, Below&& below,
                    std::uint64_t* probes = nullptr) {
    Words subset(candidates.size(), 0);
    for (unsigned found = 0; found < occupied;) {
        unsigned const site = below(shape.sites());
        unsigned const column = site % shape.width;
        std::size_t const word = std::size_t{site / shape.width} * shape.words_per_row() + column / 32;
        std::uint32_t const bit = 1u << column % 32;
        if (probes != nullptr)
            ++*probes;
        if ((candidates[word] & ~subset[word] & bit) == 0)
            continue;
        subset[word] |= bit;
        ++found;
    }
    return subset;
}

enum class Traditional { list, probe };

// Adds the reference `name`, and the same as a CPU variant, which also counts steps.
void add_traditional(bench::Experiment& experiment, Traditional algorithm, std::string const& name,
                     std::string const& description);

}  // namespace lockstep::random_grids
