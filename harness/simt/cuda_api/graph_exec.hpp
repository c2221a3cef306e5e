#pragma once
// An executable graph: an arranged copy of a graph, whose nodes still know which nodes they are copies of.

#include "harness/simt/cuda_api/graph_nodes.hpp"

struct CUgraphExec_st {
    CUgraph_st graph;
    unsigned long long flags;
    std::shared_ptr<void> memory;  // taken from the graph; null if it has none

    CUgraphExec_st(CUgraph_st const& original, unsigned long long its_flags) : graph(original), flags(its_flags) {}
};

namespace lockstep::simt::cuda {

// Whether CUDA lets an executable graph replace what a node does, and if not, why.
cudaGraphExecUpdateResult can_replace(Work const& work, Work const& next);

}  // namespace lockstep::simt::cuda
