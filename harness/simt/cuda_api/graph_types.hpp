#pragma once
// The types of CUDA graphs: handles, kinds of nodes and their parameters, options and results of instantiation and
// update.

#include <cstddef>

#include "harness/simt/cuda_api/pitched_memory.hpp"
#include "harness/simt/cuda_api/streams.hpp"
#include "harness/simt/cuda_api/vector_types.hpp"

using cudaGraph_t = struct CUgraph_st*;
using cudaGraphNode_t = struct CUgraphNode_st*;
using cudaGraphExec_t = struct CUgraphExec_st*;

enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5,
    cudaGraphNodeTypeWaitEvent = 6,
    cudaGraphNodeTypeEventRecord = 7,
    cudaGraphNodeTypeMemAlloc = 10,
    cudaGraphNodeTypeMemFree = 11,
};

struct cudaKernelNodeParams {
    void* func;  // the address of a kernel
    dim3 gridDim;
    dim3 blockDim;
    unsigned sharedMemBytes;
    void** kernelParams;  // a pointer to each argument
    void** extra;         // must be null: arguments in one buffer are not supported
};
struct cudaMemsetParams {
    void* dst;
    std::size_t pitch;  // bytes between rows; unused if the height is 1
    unsigned value;
    unsigned elementSize;  // bytes: 1, 2 or 4
    std::size_t width;     // elements
    std::size_t height;    // rows
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void* userData;
};

enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3,
};
struct cudaMemAccessDesc {
    cudaMemLocation location;
    cudaMemAccessFlags flags;
};
enum cudaMemAllocationType {
    cudaMemAllocationTypeInvalid = 0,
    cudaMemAllocationTypePinned = 1,
};
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
};
struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void* win32SecurityAttributes;
    std::size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
};
struct cudaMemAllocNodeParams {
    cudaMemPoolProps poolProps;
    cudaMemAccessDesc const* accessDescs;
    std::size_t accessDescCount;
    std::size_t bytesize;
    void* dptr;  // becomes the address
};

// All edges are whole dependencies, whose data are zeros.
struct cudaGraphEdgeData {
    unsigned char from_port;
    unsigned char to_port;
    unsigned char type;
    unsigned char reserved[5];
};

enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagUseNodePriority = 8,
};
enum cudaGraphInstantiateResult {
    cudaGraphInstantiateSuccess = 0,
    cudaGraphInstantiateError = 1,
    cudaGraphInstantiateInvalidStructure = 2,
};
struct cudaGraphInstantiateParams {
    unsigned long long flags;
    cudaStream_t uploadStream;
    cudaGraphNode_t errNode_out;
    cudaGraphInstantiateResult result_out;
};

enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3,
    cudaGraphExecUpdateErrorFunctionChanged = 4,
    cudaGraphExecUpdateErrorParametersChanged = 5,
    cudaGraphExecUpdateErrorNotSupported = 6,
    cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7,
    cudaGraphExecUpdateErrorAttributesChanged = 8,
};
struct cudaGraphExecUpdateResultInfo {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode;
    cudaGraphNode_t errorFromNode;
};
