#include "harness/simt/cuda_api/graph_work.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "harness/simt/cuda_api/capture.hpp"
#include "harness/simt/cuda_api/graph_nodes.hpp"

namespace lockstep::simt::cuda {

// Each argument begins a line, which is aligned for every type that a kernel's parameter may have.
struct KernelCall {
    struct alignas(64) Line {
        unsigned char bytes[64];
    };

    void const* kernel;
    UntypedCall call;
    std::vector<Line> copies;
    std::vector<void*> arguments;  // where the copies begin
};

namespace {

void copy_arguments(KnownKernel const& kernel, void* const* arguments, KernelCall& call) {
    auto const lines = [&](std::size_t i) {
        return (kernel.parameter_bytes[i] + sizeof(KernelCall::Line) - 1) / sizeof(KernelCall::Line);
    };
    std::size_t total = 0;
    for (std::size_t i = 0; i < kernel.parameters; ++i) {
        total += lines(i);
    }
    call.copies.resize(total);
    std::size_t at = 0;
    for (std::size_t i = 0; i < kernel.parameters; ++i) {
        call.arguments.push_back(&call.copies[at]);
        std::memcpy(call.arguments.back(), arguments[i], kernel.parameter_bytes[i]);
        at += lines(i);
    }
}

// The copies are copied to the stack, where the arguments of other launches are too (LaunchRequest::argument_bytes).
cudaError_t launch_call(LaunchRequest const& request, void const* closure) {
    KernelCall const& call = *static_cast<KernelCall const*>(closure);
    std::size_t const bytes = call.copies.size() * sizeof(KernelCall::Line);
    std::size_t const count = call.arguments.size();
    auto* const copies = static_cast<char*>(__builtin_alloca_with_align(bytes + 1, 8 * alignof(KernelCall::Line)));
    auto** const arguments = static_cast<void**>(__builtin_alloca((count + 1) * sizeof(void*)));
    auto const* const begin = reinterpret_cast<char const*>(call.copies.data());
    std::copy_n(begin, bytes, copies);
    for (std::size_t i = 0; i < count; ++i) {
        arguments[i] = copies + (static_cast<char const*>(call.arguments[i]) - begin);
    }
    LaunchRequest larger = request;
    larger.argument_bytes += bytes + count * sizeof(void*);
    return launch_callable(larger, [&] { call.call(call.kernel, arguments); });
}

cudaError_t valid_if(bool is_valid) { return is_valid ? cudaSuccess : cudaErrorInvalidValue; }

cudaError_t check_one(KernelWork const& work) { return check_launch(work.request); }
cudaError_t check_one(CopyWork const& work) {
    bool const is_kind = work.parameters.kind >= cudaMemcpyHostToHost && work.parameters.kind <= cudaMemcpyDefault;
    if (!is_kind) {
        return cudaErrorInvalidMemcpyDirection;
    }
    return valid_if(has_ends(work.parameters));
}
cudaError_t check_one(FillWork const& work) {
    cudaMemsetParams const& p = work.parameters;
    bool const is_size = p.elementSize == 1 || p.elementSize == 2 || p.elementSize == 4;
    bool const has_target = p.dst != nullptr || p.width == 0 || p.height == 0;
    return valid_if(has_target && is_size && (p.height <= 1 || p.width * p.elementSize <= p.pitch));
}
cudaError_t check_one(HostWork const& work) { return valid_if(work.parameters.fn != nullptr); }
cudaError_t check_one(ChildWork const& work) {
    return work.graph != nullptr && !work.graph->owns_memory() ? cudaSuccess : cudaErrorNotSupported;
}
cudaError_t check_one(EmptyWork const&) { return cudaSuccess; }
cudaError_t check_one(WaitWork const& work) { return valid_if(work.event != nullptr); }
cudaError_t check_one(RecordWork const& work) { return valid_if(work.event != nullptr); }
cudaError_t check_one(AllocateWork const&) { return cudaSuccess; }
cudaError_t check_one(FreeWork const&) { return cudaSuccess; }

cudaError_t run_one(KernelWork const& work) { return work.launch(work.request, work.closure.get()); }
cudaError_t run_one(CopyWork const& work) {
    cudaExtent const& extent = work.parameters.extent;
    bool const is_empty = extent.width == 0 || extent.height == 0 || extent.depth == 0;
    return is_empty ? cudaSuccess : cudaMemcpy3D(&work.parameters);
}
cudaError_t run_one(FillWork const& work) {
    cudaMemsetParams const& p = work.parameters;
    for (std::size_t row = 0; row < p.height; ++row) {
        cudaError_t const error = fill(static_cast<char*>(p.dst) + row * p.pitch, p.value, p.elementSize, p.width);
        if (error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}
cudaError_t run_one(HostWork const& work) {
    work.parameters.fn(work.parameters.userData);
    return cudaSuccess;
}
cudaError_t run_one(ChildWork const& work) { return work.graph->run(); }
cudaError_t run_one(EmptyWork const&) { return cudaSuccess; }
cudaError_t run_one(WaitWork const&) { return cudaSuccess; }
cudaError_t run_one(RecordWork const& work) { return record_event(work.event, nullptr); }
cudaError_t run_one(AllocateWork const& work) {
    work.memory->allocate();
    return cudaSuccess;
}
cudaError_t run_one(FreeWork const& work) { return release_now(work.pointer, false); }

}  // namespace

cudaGraphNodeType type_of(Work const& work) {
    return std::visit([](auto const& one) { return one.type; }, work);
}

cudaError_t check(Work const& work) {
    return std::visit([](auto const& one) { return check_one(one); }, work);
}

cudaError_t run(Work const& work) {
    RunsAtOnce const at_once;
    return std::visit([](auto const& one) { return run_one(one); }, work);
}

cudaError_t make_kernel_work(void const* kernel, LaunchRequest request, void** arguments, KernelWork& made) {
    KnownKernel known;
    if (!find_kernel(kernel, known)) {
        return cudaErrorInvalidDeviceFunction;
    }
    for (std::size_t i = 0; i < known.parameters; ++i) {
        if (arguments == nullptr || arguments[i] == nullptr) {
            return cudaErrorInvalidValue;
        }
    }
    auto const call = std::make_shared<KernelCall>();
    call->kernel = kernel;
    call->call = known.call;
    copy_arguments(known, arguments, *call);
    request.kernel = known.name;
    made = {request, launch_call, call, call.get()};
    return cudaSuccess;
}

cudaError_t make_kernel_work(cudaKernelNodeParams const* parameters, bool is_cooperative, KernelWork& made) {
    if (parameters == nullptr || (parameters->kernelParams != nullptr && parameters->extra != nullptr)) {
        return cudaErrorInvalidValue;
    }
    if (parameters->extra != nullptr) {
        return cudaErrorNotSupported;
    }
    LaunchRequest const request{parameters->gridDim, parameters->blockDim, parameters->sharedMemBytes, "", 0,
                                is_cooperative};
    return check_launch(request) == cudaSuccess
               ? make_kernel_work(parameters->func, request, parameters->kernelParams, made)
               : cudaErrorInvalidValue;
}

cudaKernelNodeParams parameters_of(KernelWork const& work) {
    return {const_cast<void*>(work.call->kernel),
            work.request.grid,
            work.request.block,
            static_cast<unsigned>(work.request.shared_bytes),
            const_cast<void**>(work.call->arguments.data()),
            nullptr};
}

CopyWork copy_work(void* target, void const* source, std::size_t bytes, cudaMemcpyKind kind) {
    return copy_work(target, bytes, source, bytes, bytes, 1, kind);
}

CopyWork copy_work(void* target, std::size_t target_pitch, void const* source, std::size_t source_pitch,
                   std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    CopyWork made{};
    made.parameters.dstPtr = make_cudaPitchedPtr(target, target_pitch, width, height);
    made.parameters.srcPtr = make_cudaPitchedPtr(const_cast<void*>(source), source_pitch, width, height);
    made.parameters.extent = make_cudaExtent(width, height, 1);
    made.parameters.kind = kind;
    return made;
}

FillWork fill_work(void* target, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return {{target, pitch, static_cast<unsigned char>(value), 1, width, height}};
}

cudaError_t make_allocate_work(cudaMemAllocNodeParams const& parameters, AllocateWork& made) {
    cudaMemPoolProps const& pool = parameters.poolProps;
    if (pool.allocType != cudaMemAllocationTypePinned || pool.location.type != cudaMemLocationTypeDevice ||
        pool.location.id != 0 || parameters.bytesize == 0) {
        return cudaErrorInvalidValue;
    }
    made = {parameters, GraphMemory::reserve(parameters.bytesize)};
    if (made.memory == nullptr) {
        return cudaErrorMemoryAllocation;
    }
    made.parameters.dptr = made.memory->address();
    return cudaSuccess;
}

cudaError_t make_free_work(void* pointer, FreeWork& made) {
    std::shared_ptr<GraphMemory> const memory = GraphMemory::at(pointer);
    made = {pointer};
    return valid_if(memory != nullptr && memory->take_free_node());
}

}  // namespace lockstep::simt::cuda
