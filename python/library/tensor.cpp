#include "python/library/tensor.hpp"

#include <cstdlib>
#include <new>
#include <utility>

#include "python/library/c_abi.hpp"

namespace lockstep::python {

namespace {

// One array of another library's.
struct Lent {
    DlManagedTensor managed;
    std::vector<std::int64_t> shape;
    std::shared_ptr<void> memory;
};

}  // namespace

std::unique_ptr<lockstep_tensor> make_tensor(std::shared_ptr<void> memory, Device const device, ElementType const type,
                                             std::vector<std::int64_t> shape) {
    auto made = std::make_unique<lockstep_tensor>();
    made->shape = std::move(shape);
    made->memory = std::move(memory);
    made->view.data = made->memory.get();
    made->view.device = device;
    made->view.type = type;
    made->view.dimensions = static_cast<std::int32_t>(made->shape.size());
    made->view.shape = made->shape.data();
    return made;
}

std::shared_ptr<void> host_memory(std::size_t const bytes) {
    constexpr std::size_t line = 64;
    void* const found = std::aligned_alloc(line, (bytes / line + 1) * line);
    if (found == nullptr)
        throw std::bad_alloc();
    return {found, std::free};
}

}  // namespace lockstep::python

using lockstep::python::DlManagedTensor;
using lockstep::python::Lent;

DlManagedTensor* lockstep_tensor_lend(lockstep_tensor const* const tensor) {
    DlManagedTensor* lent = nullptr;
    lockstep::python::guarded([&] {
        auto made = std::make_unique<Lent>(Lent{{tensor->view, nullptr, nullptr}, tensor->shape, tensor->memory});
        made->managed.tensor.shape = made->shape.data();
        made->managed.manager = made.get();
        made->managed.deleter = [](DlManagedTensor* managed) { delete static_cast<Lent*>(managed->manager); };
        lent = &made.release()->managed;
    });
    return lent;
}

void lockstep_tensor_delete(lockstep_tensor* const tensor) { delete tensor; }
