#pragma once
// The streets of a network and their neighbours, as arrays in the memory of a machine (Figure 6).

#include "harness/random/bounded.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout {

struct StreetGraph {
    unsigned const* offset = nullptr;
    unsigned const* degree = nullptr;
    unsigned const* contents = nullptr;
};

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// A random neighbour, or the street itself if it has none (U-turn).
template <class Words>
__host__ __device__ inline unsigned random_neighbour(StreetGraph const& graph, unsigned street, Words& words) {
    unsigned const degree = graph.degree[street];
    return degree == 0 ? street
                       : graph.contents[graph.offset[street] + random::LOCKSTEP_MACHINE::bounded(words, degree)];
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
