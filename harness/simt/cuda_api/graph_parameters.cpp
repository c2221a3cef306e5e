// What nodes are and do: their types, their copies in other graphs, and their parameters.

#include <utility>

#include "harness/simt/cuda_api/graph_nodes.hpp"
#include "harness/simt/cuda_api/graphs.hpp"

using namespace lockstep::simt::cuda;

namespace {

// The work of a node, or null if the node does other work.
template <class W>
W* work_of(cudaGraphNode_t node) {
    return node == nullptr ? nullptr : std::get_if<W>(&node->work);
}

template <class W, class P>
cudaError_t get(cudaGraphNode_t node, P* parameters) {
    W const* const work = work_of<W>(node);
    if (work == nullptr || parameters == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *parameters = work->parameters;
    return cudaSuccess;
}

template <class W>
cudaError_t set(cudaGraphNode_t node, W next) {
    W* const work = work_of<W>(node);
    if (work == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    if (cudaError_t const error = check(next); error != cudaSuccess) {
        return report(error);
    }
    *work = std::move(next);
    return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    if (node == nullptr || type == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *type = type_of(node->work);
    return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t node, cudaGraph_t clone) {
    if (found == nullptr || node == nullptr || clone == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *found = clone->copy_of(*node);
    return report(*found == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
    ChildWork const* const work = work_of<ChildWork>(node);
    if (work == nullptr || graph == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *graph = work->graph.get();
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
    KernelWork const* const work = work_of<KernelWork>(node);
    if (work == nullptr || parameters == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    if (work->call == nullptr) {
        return report(cudaErrorNotSupported);
    }
    *parameters = parameters_of(*work);
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, cudaKernelNodeParams const* parameters) {
    KernelWork const* const work = work_of<KernelWork>(node);
    if (work == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    KernelWork next;
    cudaError_t const error = make_kernel_work(parameters, work->request.is_cooperative, next);
    return error == cudaSuccess ? set(node, std::move(next)) : report(error);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
    return get<CopyWork>(node, parameters);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, cudaMemcpy3DParms const* parameters) {
    return parameters == nullptr ? report(cudaErrorInvalidValue) : set(node, CopyWork{*parameters});
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* target, void const* source, std::size_t bytes,
                                           cudaMemcpyKind kind) {
    return set(node, copy_work(target, source, bytes, kind));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
    return get<FillWork>(node, parameters);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, cudaMemsetParams const* parameters) {
    return parameters == nullptr ? report(cudaErrorInvalidValue) : set(node, FillWork{*parameters});
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
    return get<HostWork>(node, parameters);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, cudaHostNodeParams const* parameters) {
    return parameters == nullptr ? report(cudaErrorInvalidValue) : set(node, HostWork{*parameters});
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* parameters) {
    return get<AllocateWork>(node, parameters);
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
    FreeWork const* const work = work_of<FreeWork>(node);
    if (work == nullptr || pointer == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *static_cast<void**>(pointer) = work->pointer;
    return cudaSuccess;
}
