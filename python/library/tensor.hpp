#pragma once
// Tensors that the library makes for Python: memory with a shape, kept alive by the tensor and by every array that was
// made from it.

#include <memory>
#include <vector>

#include "python/library/dlpack.hpp"

// Python reads the view and passes the pointer back.
struct lockstep_tensor {
    lockstep::python::DlTensor view;
    std::vector<std::int64_t> shape;
    std::shared_ptr<void> memory;
};

namespace lockstep::python {

// `memory` holds the elements, row after row.
std::unique_ptr<lockstep_tensor> make_tensor(std::shared_ptr<void> memory, Device device, ElementType type,
                                             std::vector<std::int64_t> shape);

// Uninitialised memory of the host.
std::shared_ptr<void> host_memory(std::size_t bytes);

}  // namespace lockstep::python
