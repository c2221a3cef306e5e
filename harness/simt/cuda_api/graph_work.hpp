#pragma once
// What a node of a graph does. The members of this variant are values that share nothing that changes, so a graph is
// copied by copying them; only a child graph has to be copied itself (graph_nodes.hpp).

#include <memory>
#include <variant>

#include "harness/simt/cuda_api/graph_memory.hpp"
#include "harness/simt/cuda_api/graph_types.hpp"
#include "harness/simt/cuda_api/launches.hpp"

namespace lockstep::simt::cuda {

struct KernelCall;

struct KernelWork {
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeKernel;
    LaunchRequest request;
    LaunchClosure launch = nullptr;
    std::shared_ptr<void const> closure;  // the kernel and its arguments
    KernelCall const* call = nullptr;     // the closure, if the kernel was given by its address
};
struct CopyWork {
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemcpy;
    cudaMemcpy3DParms parameters;
};
struct FillWork {
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemset;
    cudaMemsetParams parameters;
};
struct HostWork {
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeHost;
    cudaHostNodeParams parameters;
};
struct ChildWork {
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeGraph;
    std::shared_ptr<CUgraph_st> graph;
};
struct EmptyWork {
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
};
struct WaitWork {  // for an event whose record is complete when the call returns: nothing to do
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeWaitEvent;
    cudaEvent_t event;
};
struct RecordWork {
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeEventRecord;
    cudaEvent_t event;
};
struct AllocateWork {
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemAlloc;
    cudaMemAllocNodeParams parameters;
    std::shared_ptr<GraphMemory> memory;
};
struct FreeWork {
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemFree;
    void* pointer;
};

using Work = std::variant<KernelWork, CopyWork, FillWork, HostWork, ChildWork, EmptyWork, WaitWork, RecordWork,
                          AllocateWork, FreeWork>;

cudaGraphNodeType type_of(Work const& work);

// The error of a node with these parameters that can be told before it runs.
cudaError_t check(Work const& work);

// Runs it now, whatever the streams capture.
cudaError_t run(Work const& work);

// A launch of the kernel at `kernel` with copies of its arguments. cudaErrorInvalidDeviceFunction if the kernel is not
// known, cudaErrorInvalidValue if arguments are missing.
cudaError_t make_kernel_work(void const* kernel, LaunchRequest request, void** arguments, KernelWork& made);
// The same from the parameters of a node. cudaErrorInvalidValue also for a shape that a device would refuse.
cudaError_t make_kernel_work(cudaKernelNodeParams const* parameters, bool is_cooperative, KernelWork& made);
// The parameters from which make_kernel_work would make it. The arguments stay those of the node.
cudaKernelNodeParams parameters_of(KernelWork const& work);

CopyWork copy_work(void* target, void const* source, std::size_t bytes, cudaMemcpyKind kind);
CopyWork copy_work(void* target, std::size_t target_pitch, void const* source, std::size_t source_pitch,
                   std::size_t width, std::size_t height, cudaMemcpyKind kind);
FillWork fill_work(void* target, std::size_t pitch, int value, std::size_t width, std::size_t height);
// Reserves the memory. cudaErrorInvalidValue unless it is asked for on device 0.
cudaError_t make_allocate_work(cudaMemAllocNodeParams const& parameters, AllocateWork& made);
// cudaErrorInvalidValue unless the pointer is that of an allocation node that no other node frees.
cudaError_t make_free_work(void* pointer, FreeWork& made);

}  // namespace lockstep::simt::cuda
