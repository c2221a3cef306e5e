// The update of an executable graph by a graph with the same topology. As CUDA does, it pairs the nodes from the last
// ones backwards: nodes on which none depends in the order of their creation, dependencies in that of their addition.

#include <map>
#include <set>
#include <utility>

#include "harness/simt/cuda_api/graph_exec.hpp"
#include "harness/simt/cuda_api/graphs.hpp"

using namespace lockstep::simt::cuda;

namespace {

std::vector<cudaGraphNode_t> last_nodes(CUgraph_st const& graph) {
    std::set<cudaGraphNode_t> inner;
    for (auto const& node : graph.nodes) {
        inner.insert(node->dependencies.begin(), node->dependencies.end());
    }
    std::vector<cudaGraphNode_t> last;
    for (auto const& node : graph.nodes) {
        if (!inner.contains(node.get())) {
            last.push_back(node.get());
        }
    }
    return last;
}

class Update {
public:
    // Finds for each node of `to`, and of its children, the node of `from` that it gets its parameters from.
    bool pair(CUgraph_st const& to, CUgraph_st const& from) {
        std::vector<cudaGraphNode_t> const last_to = last_nodes(to);
        std::vector<cudaGraphNode_t> const last_from = last_nodes(from);
        if (to.nodes.size() != from.nodes.size() || last_to.size() != last_from.size()) {
            return fail(cudaGraphExecUpdateErrorTopologyChanged);
        }
        std::size_t const before = pairs_.size();
        for (std::size_t i = 0; i < last_to.size(); ++i) {
            open_.push_back({last_to[i], last_from[i], nullptr});
        }
        while (!open_.empty()) {
            Pair const next = open_.back();
            open_.pop_back();
            if (!add(next)) {
                return false;
            }
        }
        if (pairs_.size() - before != to.nodes.size()) {  // nodes of a cycle lead to no last node
            return fail(cudaGraphExecUpdateErrorTopologyChanged);
        }
        for (auto const& node : to.nodes) {
            auto const* const child = std::get_if<ChildWork>(&node->work);
            if (child != nullptr && !pair(*child->graph, *std::get<ChildWork>(pairs_[node.get()]->work).graph)) {
                return false;
            }
        }
        return true;
    }

    void make() {
        for (auto const& [to, from] : pairs_) {
            if (!std::holds_alternative<ChildWork>(to->work)) {
                to->work = from->work;
            }
        }
    }

    cudaGraphExecUpdateResultInfo info{};

private:
    struct Pair {
        cudaGraphNode_t to;
        cudaGraphNode_t from;
        cudaGraphNode_t dependent;  // of `from`, through which it was found
    };

    bool fail(cudaGraphExecUpdateResult result, cudaGraphNode_t node = nullptr, cudaGraphNode_t dependency = nullptr) {
        info = {result, node, dependency};
        return false;
    }

    bool add(Pair const& pair) {
        auto const [known, is_new] = pairs_.insert({pair.to, pair.from});
        auto const [known_back, is_new_back] = back_.insert({pair.from, pair.to});
        if (known->second != pair.from || known_back->second != pair.to) {
            return fail(cudaGraphExecUpdateErrorTopologyChanged, pair.dependent, pair.from);
        }
        if (!is_new && !is_new_back) {
            return true;
        }
        if (pair.to->dependencies.size() != pair.from->dependencies.size()) {
            return fail(cudaGraphExecUpdateErrorTopologyChanged, pair.from);
        }
        cudaGraphExecUpdateResult const result = can_replace(pair.to->work, pair.from->work);
        if (result != cudaGraphExecUpdateSuccess) {
            return fail(result, pair.from);
        }
        for (std::size_t i = 0; i < pair.to->dependencies.size(); ++i) {
            open_.push_back({pair.to->dependencies[i], pair.from->dependencies[i], pair.from});
        }
        return true;
    }

    std::map<cudaGraphNode_t, cudaGraphNode_t> pairs_;  // a node of the executable graph, and that of the other
    std::map<cudaGraphNode_t, cudaGraphNode_t> back_;
    std::vector<Pair> open_;
};

cudaGraphExecUpdateResult can_replace_fill(cudaMemsetParams const& p, cudaMemsetParams const& next) {
    bool const is_same = p.width == next.width && p.elementSize == next.elementSize && p.pitch == next.pitch;
    bool const can = p.height == next.height && (p.height <= 1 || is_same);
    return can ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorParametersChanged;
}

}  // namespace

namespace lockstep::simt::cuda {

cudaGraphExecUpdateResult can_replace(Work const& work, Work const& next) {
    if (work.index() != next.index()) {
        return cudaGraphExecUpdateErrorNodeTypeChanged;
    }
    if (auto const* const kernel = std::get_if<KernelWork>(&work); kernel != nullptr) {
        bool const is_same = kernel->request.is_cooperative == std::get<KernelWork>(next).request.is_cooperative;
        return is_same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorAttributesChanged;
    }
    if (auto const* const copy = std::get_if<CopyWork>(&work); copy != nullptr) {
        bool const is_same = copy->parameters.kind == std::get<CopyWork>(next).parameters.kind;
        return is_same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorParametersChanged;
    }
    if (auto const* const fill = std::get_if<FillWork>(&work); fill != nullptr) {
        return can_replace_fill(fill->parameters, std::get<FillWork>(next).parameters);
    }
    bool const has_memory = std::holds_alternative<AllocateWork>(work) || std::holds_alternative<FreeWork>(work);
    return has_memory ? cudaGraphExecUpdateErrorNotSupported : cudaGraphExecUpdateSuccess;
}

}  // namespace lockstep::simt::cuda

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
    if (exec == nullptr || graph == nullptr || info == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    Update update;
    bool const can = update.pair(exec->graph, *graph);
    if (can) {
        update.make();
    }
    *info = update.info;
    return report(can ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                cudaGraphExecUpdateResult* result) {
    cudaGraphExecUpdateResultInfo info{};
    cudaError_t const error = cudaGraphExecUpdate(exec, graph, &info);
    if (error_node != nullptr) {
        *error_node = info.errorNode;
    }
    if (result != nullptr) {
        *result = info.result;
    }
    return error;
}
