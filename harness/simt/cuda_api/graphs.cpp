// Graphs and their nodes: how they are made, connected, listed and destroyed.

#include "harness/simt/cuda_api/graphs.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/simt/cuda_api/graph_nodes.hpp"

using namespace lockstep::simt::cuda;

namespace {

cudaError_t invalid_value() { return report(cudaErrorInvalidValue); }

bool can_add(cudaGraphNode_t const* made, cudaGraph_t graph, cudaGraphNode_t const* dependencies, std::size_t count) {
    return made != nullptr && graph != nullptr && (count == 0 || dependencies != nullptr) &&
           graph->can_precede(dependencies, count);
}

cudaError_t add(cudaGraphNode_t* made, cudaGraph_t graph, cudaGraphNode_t const* dependencies, std::size_t count,
                Work work) {
    if (!can_add(made, graph, dependencies, count)) {
        return invalid_value();
    }
    if (cudaError_t const error = check(work); error != cudaSuccess) {
        return report(error);
    }
    *made = graph->add(std::move(work), dependencies, count);
    return cudaSuccess;
}

// Nodes that allocate or free must be in a graph that has no copies: a child is one.
bool can_have_memory(cudaGraph_t graph) { return graph->owner != CUgraph_st::Owner::node; }

bool has_edge(CUgraphNode_st const& from, CUgraphNode_st const& to) {
    return std::find(to.dependencies.begin(), to.dependencies.end(), &from) != to.dependencies.end();
}

// Whether these can be edges of the graph, and none is there twice.
bool are_edges(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to, std::size_t count) {
    if (graph == nullptr || (count != 0 && (from == nullptr || to == nullptr))) {
        return false;
    }
    std::set<std::pair<cudaGraphNode_t, cudaGraphNode_t>> different;
    for (std::size_t i = 0; i < count; ++i) {
        if (!graph->has(from[i]) || !graph->has(to[i]) || from[i] == to[i]) {
            return false;
        }
        different.insert({from[i], to[i]});
    }
    return different.size() == count;
}

bool are_whole(cudaGraphEdgeData const* data, std::size_t count) {
    return data == nullptr || std::all_of(data, data + count, [](cudaGraphEdgeData const& edge) {
               return edge.from_port == 0 && edge.to_port == 0 && edge.type == 0;
           });
}

struct Edge {
    cudaGraphNode_t from;
    cudaGraphNode_t to;
};

std::vector<Edge> edges_of(CUgraph_st const& graph) {
    std::vector<Edge> edges;
    for (auto const& node : graph.nodes) {
        for (cudaGraphNode_t const dependency : node->dependencies) {
            edges.push_back({dependency, node.get()});
        }
    }
    return edges;
}

// Writes one entry per element to `out`, and null after the last.
template <class Get>
void list(std::size_t size, cudaGraphNode_t* out, std::size_t room, Get get) {
    for (std::size_t i = 0; out != nullptr && i < room; ++i) {
        out[i] = i < size ? get(i) : nullptr;
    }
}

cudaError_t list_nodes(std::vector<cudaGraphNode_t> const& nodes, cudaGraphNode_t* out, std::size_t* count) {
    list(nodes.size(), out, *count, [&](std::size_t i) { return nodes[i]; });
    *count = out == nullptr ? nodes.size() : std::min(nodes.size(), *count);
    return cudaSuccess;
}

void clear(cudaGraphEdgeData* data, std::size_t count) {
    if (data != nullptr) {
        std::fill_n(data, count, cudaGraphEdgeData{});
    }
}

template <class Keep>
std::vector<cudaGraphNode_t> nodes_that(CUgraph_st const& graph, Keep keep) {
    std::vector<cudaGraphNode_t> kept;
    for (auto const& node : graph.nodes) {
        if (keep(*node)) {
            kept.push_back(node.get());
        }
    }
    return kept;
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    if (graph == nullptr || flags != 0) {
        return invalid_value();
    }
    *graph = new CUgraph_st;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    if (graph == nullptr || graph->owner != CUgraph_st::Owner::program) {
        return invalid_value();
    }
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    if (clone == nullptr || graph == nullptr) {
        return invalid_value();
    }
    if (graph->owns_memory()) {
        return report(cudaErrorNotSupported);
    }
    *clone = new CUgraph_st(*graph);
    return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                   std::size_t count, cudaKernelNodeParams const* parameters) {
    KernelWork work;
    if (cudaError_t const error = make_kernel_work(parameters, false, work); error != cudaSuccess) {
        return report(error);
    }
    return add(node, graph, dependencies, count, std::move(work));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                   std::size_t count, cudaMemcpy3DParms const* parameters) {
    return parameters == nullptr ? invalid_value() : add(node, graph, dependencies, count, CopyWork{*parameters});
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                     std::size_t count, void* target, void const* source, std::size_t bytes,
                                     cudaMemcpyKind kind) {
    return add(node, graph, dependencies, count, copy_work(target, source, bytes, kind));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                   std::size_t count, cudaMemsetParams const* parameters) {
    return parameters == nullptr ? invalid_value() : add(node, graph, dependencies, count, FillWork{*parameters});
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                 std::size_t count, cudaHostNodeParams const* parameters) {
    return parameters == nullptr ? invalid_value() : add(node, graph, dependencies, count, HostWork{*parameters});
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                  std::size_t count) {
    return add(node, graph, dependencies, count, EmptyWork{});
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                       std::size_t count, cudaGraph_t child) {
    return child == nullptr ? invalid_value()
                            : add(node, graph, dependencies, count, ChildWork{std::make_shared<CUgraph_st>(*child)});
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                        std::size_t count, cudaEvent_t event) {
    return add(node, graph, dependencies, count, RecordWork{event});
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                      std::size_t count, cudaEvent_t event) {
    return add(node, graph, dependencies, count, WaitWork{event});
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                     std::size_t count, cudaMemAllocNodeParams* parameters) {
    if (parameters == nullptr || !can_add(node, graph, dependencies, count) || !can_have_memory(graph)) {
        return invalid_value();
    }
    AllocateWork work;
    if (cudaError_t const error = make_allocate_work(*parameters, work); error != cudaSuccess) {
        return report(error);
    }
    parameters->dptr = work.parameters.dptr;
    return add(node, graph, dependencies, count, std::move(work));
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t const* dependencies,
                                    std::size_t count, void* pointer) {
    if (!can_add(node, graph, dependencies, count) || !can_have_memory(graph)) {
        return invalid_value();
    }
    FreeWork work;
    cudaError_t const error = make_free_work(pointer, work);
    return error == cudaSuccess ? add(node, graph, dependencies, count, work) : report(error);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    if (node == nullptr || node->graph->owns_memory() || node->graph->owner == CUgraph_st::Owner::capture) {
        return invalid_value();
    }
    node->graph->remove(node);
    return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                     std::size_t count) {
    if (!are_edges(graph, from, to, count)) {
        return invalid_value();
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (has_edge(*from[i], *to[i])) {
            return invalid_value();
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        to[i]->dependencies.push_back(from[i]);
    }
    return cudaSuccess;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                     cudaGraphEdgeData const* data, std::size_t count) {
    return are_whole(data, count) ? cudaGraphAddDependencies(graph, from, to, count) : report(cudaErrorNotSupported);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                        std::size_t count) {
    if (!are_edges(graph, from, to, count) || graph->owns_memory()) {
        return invalid_value();
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (!has_edge(*from[i], *to[i])) {
            return invalid_value();
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::erase(to[i]->dependencies, from[i]);
    }
    return cudaSuccess;
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                        cudaGraphEdgeData const* data, std::size_t count) {
    return are_whole(data, count) ? cudaGraphRemoveDependencies(graph, from, to, count) : invalid_value();
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    if (graph == nullptr || count == nullptr) {
        return invalid_value();
    }
    return list_nodes(nodes_that(*graph, [](CUgraphNode_st const&) { return true; }), nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    if (graph == nullptr || count == nullptr) {
        return invalid_value();
    }
    auto const is_root = [](CUgraphNode_st const& node) { return node.dependencies.empty(); };
    return list_nodes(nodes_that(*graph, is_root), nodes, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count) {
    if (graph == nullptr || count == nullptr || (from == nullptr) != (to == nullptr)) {
        return invalid_value();
    }
    std::vector<Edge> const edges = edges_of(*graph);
    list(edges.size(), from, *count, [&](std::size_t i) { return edges[i].from; });
    list(edges.size(), to, *count, [&](std::size_t i) { return edges[i].to; });
    *count = from == nullptr ? edges.size() : std::min(edges.size(), *count);
    return cudaSuccess;
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                              std::size_t* count) {
    cudaError_t const error = cudaGraphGetEdges(graph, from, to, count);
    clear(data, error == cudaSuccess ? *count : 0);
    return error;
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, std::size_t* count) {
    return node == nullptr || count == nullptr ? invalid_value() : list_nodes(node->dependencies, dependencies, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, cudaGraphEdgeData* data,
                                         std::size_t* count) {
    cudaError_t const error = cudaGraphNodeGetDependencies(node, dependencies, count);
    clear(data, error == cudaSuccess ? *count : 0);
    return error;
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents, std::size_t* count) {
    if (node == nullptr || count == nullptr) {
        return invalid_value();
    }
    auto const depends = [&](CUgraphNode_st const& other) { return has_edge(*node, other); };
    return list_nodes(nodes_that(*node->graph, depends), dependents, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents, cudaGraphEdgeData* data,
                                           std::size_t* count) {
    cudaError_t const error = cudaGraphNodeGetDependentNodes(node, dependents, count);
    clear(data, error == cudaSuccess ? *count : 0);
    return error;
}
