// Executable graphs: instantiation, launches, and new parameters for single nodes.

#include "harness/simt/cuda_api/graph_exec.hpp"

#include <utility>

#include "harness/simt/cuda_api/capture.hpp"
#include "harness/simt/cuda_api/graphs.hpp"

using namespace lockstep::simt::cuda;

namespace {

constexpr unsigned long long known_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphInstantiateParams& parameters) {
    parameters.errNode_out = nullptr;
    parameters.result_out = cudaGraphInstantiateError;
    if (exec == nullptr || graph == nullptr || (parameters.flags & ~known_flags) != 0) {
        return cudaErrorInvalidValue;
    }
    if (!graph->memory_is_taken.expired()) {
        return cudaErrorNotSupported;
    }
    auto made = std::make_unique<CUgraphExec_st>(*graph, parameters.flags);
    if (cudaGraphNode_t const in_cycle = made->graph.arrange(); in_cycle != nullptr) {
        for (auto const& node : graph->nodes) {
            parameters.errNode_out = node->id == in_cycle->original ? node.get() : parameters.errNode_out;
        }
        parameters.result_out = cudaGraphInstantiateInvalidStructure;
        return cudaErrorInvalidValue;
    }
    if (graph->owns_memory()) {
        made->memory = std::make_shared<bool>();
        graph->memory_is_taken = made->memory;
    }
    parameters.result_out = cudaGraphInstantiateSuccess;
    *exec = made.release();
    return cudaSuccess;
}

// Memory that an earlier launch allocated and that is not freed yet.
cudaError_t free_earlier(CUgraphExec_st const& exec) {
    for (auto const& node : exec.graph.nodes) {
        AllocateWork const* const work = std::get_if<AllocateWork>(&node->work);
        if (work != nullptr && work->memory->is_allocated()) {
            if ((exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) == 0) {
                return cudaErrorInvalidValue;
            }
            work->memory->free();
        }
    }
    return cudaSuccess;
}

template <class W>
cudaError_t set(cudaGraphExec_t exec, cudaGraphNode_t node, W next) {
    bool const is_node = exec != nullptr && node != nullptr && std::holds_alternative<W>(node->work);
    cudaGraphNode_t const copy = is_node ? exec->graph.copy_of(*node) : nullptr;
    if (copy == nullptr || can_replace(copy->work, next) != cudaGraphExecUpdateSuccess) {
        return report(cudaErrorInvalidValue);
    }
    if (cudaError_t const error = check(next); error != cudaSuccess) {
        return report(error);
    }
    copy->work = std::move(next);
    return cudaSuccess;
}

bool is_1d(cudaMemcpy3DParms const& parameters) {
    return parameters.extent.height <= 1 && parameters.extent.depth <= 1;
}

}  // namespace

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
    return report(parameters == nullptr ? cudaErrorInvalidValue : instantiate(exec, graph, *parameters));
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    cudaGraphInstantiateParams parameters{flags, nullptr, nullptr, cudaGraphInstantiateSuccess};
    return report(instantiate(exec, graph, parameters));
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t*, char*, std::size_t) {
    return cudaGraphInstantiate(exec, graph, 0);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiate(exec, graph, flags);
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
    if (exec == nullptr || flags == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *flags = exec->flags;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    if (exec == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    delete exec;
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
    return report(exec == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    if (exec == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    if (!runs_now(stream)) {
        return enqueue(stream, ChildWork{std::make_shared<CUgraph_st>(exec->graph)});
    }
    if (cudaError_t const error = free_earlier(*exec); error != cudaSuccess) {
        return report(error);
    }
    return report(exec->graph.run());
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             cudaKernelNodeParams const* parameters) {
    KernelWork const* const work = node == nullptr ? nullptr : std::get_if<KernelWork>(&node->work);
    if (work == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    KernelWork next;
    cudaError_t const error = make_kernel_work(parameters, work->request.is_cooperative, next);
    return error == cudaSuccess ? set(exec, node, std::move(next)) : report(error);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             cudaMemcpy3DParms const* parameters) {
    CopyWork const* const work = node == nullptr ? nullptr : std::get_if<CopyWork>(&node->work);
    if (work == nullptr || parameters == nullptr || !is_1d(work->parameters) || !is_1d(*parameters)) {
        return report(cudaErrorInvalidValue);
    }
    return set(exec, node, CopyWork{*parameters});
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* target,
                                               void const* source, std::size_t bytes, cudaMemcpyKind kind) {
    CopyWork const next = copy_work(target, source, bytes, kind);
    return cudaGraphExecMemcpyNodeSetParams(exec, node, &next.parameters);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             cudaMemsetParams const* parameters) {
    return parameters == nullptr ? report(cudaErrorInvalidValue) : set(exec, node, FillWork{*parameters});
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           cudaHostNodeParams const* parameters) {
    return parameters == nullptr ? report(cudaErrorInvalidValue) : set(exec, node, HostWork{*parameters});
}
