#pragma once
// Graphs as the runtime stores them: nodes in the order of their creation, each with the nodes that it depends on.

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/simt/cuda_api/graph_work.hpp"

struct CUgraphNode_st {
    lockstep::simt::cuda::Work work;
    cudaGraph_t graph;
    std::vector<cudaGraphNode_t> dependencies;  // in the order in which they were added
    std::uint64_t id;                           // no other node has it
    std::uint64_t original = 0;                 // the id of the node that this one is a copy of
};

struct CUgraph_st {
    // Who destroys the graph: the program, the node whose child it is, or the capture that adds to it.
    enum class Owner { program, node, capture };

    Owner owner = Owner::program;
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
    std::vector<cudaGraphNode_t> order;   // of a launch; set by arrange()
    std::weak_ptr<void> memory_is_taken;  // not null while an executable graph has this graph's memory

    CUgraph_st() = default;
    // Copies of all nodes, and of the graphs that they own.
    explicit CUgraph_st(CUgraph_st const& other);
    CUgraph_st& operator=(CUgraph_st const&) = delete;
    ~CUgraph_st() = default;

    // Whether a node of this graph may depend on these nodes: they are nodes of it, and none is there twice.
    bool can_precede(cudaGraphNode_t const* list, std::size_t count) const;
    cudaGraphNode_t add(lockstep::simt::cuda::Work work, cudaGraphNode_t const* dependencies, std::size_t count);
    void remove(cudaGraphNode_t node);

    bool has(cudaGraphNode_t node) const { return node != nullptr && node->graph == this; }
    // The copy of the node in this graph or in a graph of its nodes, or null.
    cudaGraphNode_t copy_of(CUgraphNode_st const& node) const;
    // Whether a node allocates or frees memory. Such a graph has no copies but one executable graph.
    bool owns_memory() const;

    // Sets the order of this graph and of those of its nodes. Returns a node of a cycle, or null.
    cudaGraphNode_t arrange();
    // Runs an arranged graph until an operation fails.
    cudaError_t run() const;
};
