#include "harness/simt/cuda_api/graph_nodes.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <queue>
#include <utility>

using lockstep::simt::cuda::AllocateWork;
using lockstep::simt::cuda::ChildWork;
using lockstep::simt::cuda::FreeWork;
using lockstep::simt::cuda::Work;

namespace {

std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

std::map<CUgraphNode_st const*, std::size_t> indices_of(CUgraph_st const& graph) {
    std::map<CUgraphNode_st const*, std::size_t> indices;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        indices[graph.nodes[i].get()] = i;
    }
    return indices;
}

CUgraph_st* child_of(CUgraphNode_st const& node) {
    auto const* const child = std::get_if<ChildWork>(&node.work);
    return child == nullptr ? nullptr : child->graph.get();
}

}  // namespace

CUgraph_st::CUgraph_st(CUgraph_st const& other) {
    for (auto const& node : other.nodes) {
        CUgraph_st const* const child = child_of(*node);
        add(child == nullptr ? node->work : Work(ChildWork{std::make_shared<CUgraph_st>(*child)}), nullptr, 0);
        nodes.back()->original = node->id;
    }
    auto const indices = indices_of(other);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (cudaGraphNode_t const dependency : other.nodes[i]->dependencies) {
            nodes[i]->dependencies.push_back(nodes[indices.at(dependency)].get());
        }
    }
}

bool CUgraph_st::can_precede(cudaGraphNode_t const* list, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
        if (!has(list[i]) || std::find(list, list + i, list[i]) != list + i) {
            return false;
        }
    }
    return true;
}

cudaGraphNode_t CUgraph_st::add(Work work, cudaGraphNode_t const* dependencies, std::size_t count) {
    std::unique_ptr<CUgraphNode_st> node(
        new CUgraphNode_st{std::move(work), this, {dependencies, dependencies + count}, next_id()});
    if (CUgraph_st* const child = child_of(*node); child != nullptr) {
        child->owner = Owner::node;
    }
    nodes.push_back(std::move(node));
    return nodes.back().get();
}

void CUgraph_st::remove(cudaGraphNode_t node) {
    for (auto const& other : nodes) {
        std::erase(other->dependencies, node);
    }
    std::erase_if(nodes, [&](auto const& one) { return one.get() == node; });
}

cudaGraphNode_t CUgraph_st::copy_of(CUgraphNode_st const& node) const {
    for (auto const& candidate : nodes) {
        if (candidate->original == node.id) {
            return candidate.get();
        }
        CUgraph_st const* const child = child_of(*candidate);
        if (cudaGraphNode_t const found = child == nullptr ? nullptr : child->copy_of(node); found != nullptr) {
            return found;
        }
    }
    return nullptr;
}

bool CUgraph_st::owns_memory() const {
    return std::any_of(nodes.begin(), nodes.end(), [](auto const& node) {
        return std::holds_alternative<AllocateWork>(node->work) || std::holds_alternative<FreeWork>(node->work);
    });
}

cudaGraphNode_t CUgraph_st::arrange() {
    auto const indices = indices_of(*this);
    std::vector<std::size_t> waits_for(nodes.size());
    std::vector<std::vector<std::size_t>> dependents(nodes.size());
    // Of the nodes that can run, the one that was added first runs first.
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        waits_for[i] = nodes[i]->dependencies.size();
        for (cudaGraphNode_t const dependency : nodes[i]->dependencies) {
            dependents[indices.at(dependency)].push_back(i);
        }
        if (waits_for[i] == 0) {
            ready.push(i);
        }
        CUgraph_st* const child = child_of(*nodes[i]);
        if (cudaGraphNode_t const in_cycle = child == nullptr ? nullptr : child->arrange(); in_cycle != nullptr) {
            return in_cycle;
        }
    }
    order.clear();
    while (!ready.empty()) {
        std::size_t const next = ready.top();
        ready.pop();
        order.push_back(nodes[next].get());
        for (std::size_t const dependent : dependents[next]) {
            if (--waits_for[dependent] == 0) {
                ready.push(dependent);
            }
        }
    }
    auto const stuck = std::find_if(waits_for.begin(), waits_for.end(), [](std::size_t count) { return count != 0; });
    return stuck == waits_for.end() ? nullptr : nodes[static_cast<std::size_t>(stuck - waits_for.begin())].get();
}

cudaError_t CUgraph_st::run() const {
    for (cudaGraphNode_t const node : order) {
        if (cudaError_t const error = lockstep::simt::cuda::run(node->work); error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}
