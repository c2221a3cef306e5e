#include "harness/simt/cuda_api/memory.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "harness/simt/cuda_api/capture.hpp"
#include "harness/simt/cuda_api/devices.hpp"
#include "harness/simt/hooks/memory.hpp"

namespace lockstep::simt::cuda {
namespace {

struct Allocation {
    std::size_t bytes;
    Memory kind;
    std::shared_ptr<void> storage;  // null for memory that the program registered
    std::shared_ptr<void const> life = std::make_shared<char>();
};

// A start that is aligned for every type, with a redzone on both sides.
std::shared_ptr<void> make_storage(void** pointer, std::size_t bytes) {
    std::size_t const space = (bytes + hooks::alignment - 1) / hooks::alignment * hooks::alignment;
    void* const base = std::aligned_alloc(hooks::alignment, space + 2 * hooks::redzone);
    if (base == nullptr) {
        return nullptr;
    }
    *pointer = static_cast<char*>(base) + hooks::redzone;
    return {base, std::free};
}

// Freed memory is kept for a while, so that an access after the free meets no newer allocation.
constexpr std::size_t max_kept_bytes = std::size_t{256} << 20;

class Registry {
public:
    cudaError_t add(void** pointer, std::size_t bytes, Memory kind) {
        std::lock_guard const lock(mutex_);
        if (bytes > device_memory_bytes - used_bytes_) {
            return cudaErrorMemoryAllocation;
        }
        std::shared_ptr<void> storage = make_storage(pointer, bytes);
        if (storage == nullptr) {
            return cudaErrorMemoryAllocation;
        }
        used_bytes_ += bytes;
        insert(*pointer, {bytes, kind, std::move(storage)});
        return cudaSuccess;
    }

    void add_reserved(void* pointer, std::size_t bytes, std::shared_ptr<void> const& storage) {
        std::lock_guard const lock(mutex_);
        used_bytes_ += bytes;
        insert(pointer, {bytes, Memory::device, storage});
    }

    bool contains(void const* pointer) {
        std::lock_guard const lock(mutex_);
        return allocations_.contains(reinterpret_cast<std::uintptr_t>(pointer));
    }

    void insert_foreign(void const* pointer, std::size_t bytes, Memory kind) {
        std::lock_guard const lock(mutex_);
        if (!allocations_.contains(reinterpret_cast<std::uintptr_t>(pointer))) {
            insert(pointer, {bytes, kind, nullptr});
        }
    }

    bool remove(void* pointer, bool is_host, bool is_owned) {
        std::lock_guard const lock(mutex_);
        auto const found = allocations_.find(reinterpret_cast<std::uintptr_t>(pointer));
        if (found == allocations_.end() || (found->second.storage != nullptr) != is_owned ||
            (found->second.kind == Memory::host) != is_host) {
            return false;
        }
        Allocation const removed = found->second;
        allocations_.erase(found);
        hooks::note_freed(pointer);
        if (is_owned) {
            used_bytes_ -= removed.bytes;
            keep(removed.storage, removed.bytes);
        }
        return true;
    }

    // The allocation that contains the byte, or one with 0 bytes; `left` becomes the number of bytes to its end.
    Allocation find(void const* pointer, std::size_t& left) {
        std::lock_guard const lock(mutex_);
        auto const address = reinterpret_cast<std::uintptr_t>(pointer);
        auto next = allocations_.upper_bound(address);
        if (next == allocations_.begin() || address - (--next)->first >= next->second.bytes) {
            return {0, Memory::host, nullptr, nullptr};
        }
        left = next->second.bytes - (address - next->first);
        return next->second;
    }

    std::weak_ptr<void const> life_of(void const* pointer) {
        std::size_t left = 0;
        return find(pointer, left).life;
    }

    std::size_t used_bytes() {
        std::lock_guard const lock(mutex_);
        return used_bytes_;
    }

private:
    void insert(void const* pointer, Allocation const& made) {
        allocations_[reinterpret_cast<std::uintptr_t>(pointer)] = made;
        using enum hooks::Memory;
        hooks::note_allocated(pointer, made.bytes,
                              made.kind == Memory::device     ? device
                              : made.kind == Memory::variable ? variable
                                                              : managed);
    }

    void keep(std::shared_ptr<void> const& storage, std::size_t bytes) {
        kept_.push_back({storage, bytes});
        kept_bytes_ += bytes;
        while (kept_bytes_ > max_kept_bytes) {
            kept_bytes_ -= kept_.front().bytes;
            kept_.pop_front();
        }
    }

    struct Kept {
        std::shared_ptr<void> storage;
        std::size_t bytes;
    };
    std::mutex mutex_;
    std::map<std::uintptr_t, Allocation> allocations_;
    std::size_t used_bytes_ = 0;
    std::deque<Kept> kept_;
    std::size_t kept_bytes_ = 0;
};

// Never destroyed: destructors of a program's global objects free memory.
Registry& registry() {
    static auto& made = *new Registry;
    return made;
}

bool needs_device(cudaMemcpyKind kind, bool is_target) {
    return kind == cudaMemcpyDeviceToDevice || kind == (is_target ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

// Whether `bytes` bytes from the pointer are in one allocation; memory of the host's own is not known.
bool is_valid(void const* pointer, std::size_t bytes, bool must_be_device) {
    std::size_t left = 0;
    if (registry().find(pointer, left).bytes == 0) {
        return !must_be_device && pointer != nullptr;
    }
    return bytes <= left;
}

bool is_known(void const* pointer) {
    std::size_t left = 0;
    return registry().find(pointer, left).bytes != 0;
}

// Why `bytes` bytes from the pointer are refused: one end of a copy, or what is set.
cudaError_t refuse_bytes(char const* end, void const* pointer, std::size_t bytes) {
    std::size_t left = 0;
    std::array<char, 120> reason{};
    if (pointer == nullptr) {
        std::snprintf(reason.data(), reason.size(), "the %s is null", end);
    } else if (registry().find(pointer, left).bytes == 0) {
        std::snprintf(reason.data(), reason.size(), "the %s is not device memory", end);
    } else {
        std::snprintf(reason.data(), reason.size(), "%zu bytes, but the %s ends after %zu", bytes, end, left);
    }
    return report(cudaErrorInvalidValue, reason.data());
}

cudaError_t copy(void* target, void const* source, std::size_t bytes, cudaMemcpyKind kind) {
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
        return report(cudaErrorInvalidMemcpyDirection);
    }
    if (!is_valid(target, bytes, needs_device(kind, true))) {
        return refuse_bytes("target", target, bytes);
    }
    if (!is_valid(source, bytes, needs_device(kind, false))) {
        return refuse_bytes("source", source, bytes);
    }
    std::memmove(target, source, bytes);
    if (!is_known(target)) {
        return cudaSuccess;
    }
    if (is_known(source)) {
        hooks::note_copied(target, source, bytes);
    } else {
        hooks::note_written(target, bytes);
    }
    return cudaSuccess;
}

}  // namespace

bool is_device_memory(void const* pointer, std::size_t bytes) { return is_valid(pointer, bytes, true); }

std::weak_ptr<void const> life_of_allocation(void const* pointer) { return registry().life_of(pointer); }

cudaError_t allocate(void** pointer, std::size_t bytes, Memory kind) {
    if (pointer == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *pointer = nullptr;
    if (cudaError_t const error = refuse_unsafe_call(); error != cudaSuccess) {
        return error;
    }
    return bytes == 0 ? cudaSuccess : report(registry().add(pointer, bytes, kind));
}

cudaError_t allocate_in_order(void** pointer, std::size_t bytes, cudaStream_t stream) {
    if (pointer == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *pointer = nullptr;
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (runs_now(stream)) {
        return report(registry().add(pointer, bytes, Memory::device));
    }
    cudaMemAllocNodeParams parameters{};
    parameters.poolProps.allocType = cudaMemAllocationTypePinned;
    parameters.poolProps.location = {cudaMemLocationTypeDevice, 0};
    parameters.bytesize = bytes;
    AllocateWork work;
    cudaError_t const made = make_allocate_work(parameters, work);
    cudaError_t const error = made == cudaSuccess ? enqueue(stream, work) : report(made);
    *pointer = error == cudaSuccess ? work.parameters.dptr : nullptr;
    return error;
}

cudaError_t release(void* pointer, bool is_host) {
    cudaError_t const error = pointer == nullptr ? cudaSuccess : refuse_unsafe_call();
    return error == cudaSuccess ? release_now(pointer, is_host) : error;
}

cudaError_t release_now(void* pointer, bool is_host) {
    if (pointer == nullptr || registry().remove(pointer, is_host, true)) {
        return cudaSuccess;
    }
    return report(cudaErrorInvalidValue, is_host ? "no allocation of pinned memory begins at the pointer"
                                                 : "no allocation of device memory begins at the pointer");
}

std::shared_ptr<void> reserve_storage(void** pointer, std::size_t bytes) {
    return bytes > device_memory_bytes ? nullptr : make_storage(pointer, bytes);
}

void allocate_storage(void* pointer, std::size_t bytes, std::shared_ptr<void> const& storage) {
    registry().add_reserved(pointer, bytes, storage);
}

bool is_allocation(void const* pointer) { return registry().contains(pointer); }

cudaError_t fill(void* target, unsigned value, std::size_t element_bytes, std::size_t elements) {
    std::size_t const bytes = element_bytes * elements;
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (!is_valid(target, bytes, true)) {
        return refuse_bytes("target", target, bytes);
    }
    if (element_bytes == 1) {
        std::memset(target, static_cast<int>(value), bytes);
    } else {
        for (std::size_t i = 0; i < elements; ++i) {  // the least significant bytes of the value
            std::memcpy(static_cast<char*>(target) + i * element_bytes, &value, element_bytes);
        }
    }
    hooks::note_written(target, bytes);
    return cudaSuccess;
}

void know_variable(void const* address, std::size_t bytes) {
    registry().insert_foreign(address, bytes, Memory::variable);
}

}  // namespace lockstep::simt::cuda

using namespace lockstep::simt::cuda;

cudaError_t cudaFree(void* pointer) { return release(pointer, false); }
cudaError_t cudaFreeHost(void* pointer) { return release(pointer, true); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    if (runs_now(stream)) {
        return release_now(pointer, false);
    }
    FreeWork work;
    cudaError_t const error = make_free_work(pointer, work);
    return error == cudaSuccess ? enqueue(stream, work) : report(error);
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
    if (pointer == nullptr || bytes == 0) {
        return report(cudaErrorInvalidValue);
    }
    registry().insert_foreign(pointer, bytes, Memory::host);
    return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* pointer) {
    return report(registry().remove(pointer, true, false) ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetFlags(unsigned* flags, void*) {
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
    *free_bytes = device_memory_bytes - registry().used_bytes();
    *total_bytes = device_memory_bytes;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, void const* pointer) {
    std::size_t left = 0;
    Allocation const found = registry().find(pointer, left);
    void* const address = const_cast<void*>(pointer);
    if (found.bytes == 0) {
        *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
    } else if (found.kind == Memory::managed) {
        *attributes = {cudaMemoryTypeManaged, 0, address, address};
    } else if (found.kind == Memory::host) {
        *attributes = {cudaMemoryTypeHost, 0, address, address};
    } else {
        *attributes = {cudaMemoryTypeDevice, 0, address, nullptr};
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void* target, void const* source, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(target, source, bytes, kind, cudaStreamLegacy);
}
cudaError_t cudaMemcpyAsync(void* target, void const* source, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return runs_now(stream) ? copy(target, source, bytes, kind)
                            : enqueue(stream, copy_work(target, source, bytes, kind));
}
cudaError_t cudaMemcpyPeer(void* target, int, void const* source, int, std::size_t bytes) {
    return cudaMemcpy(target, source, bytes, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* target, int, void const* source, int, std::size_t bytes, cudaStream_t stream) {
    return cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemset(void* target, int value, std::size_t bytes) {
    return cudaMemsetAsync(target, value, bytes, cudaStreamLegacy);
}
cudaError_t cudaMemsetAsync(void* target, int value, std::size_t bytes, cudaStream_t stream) {
    return runs_now(stream) ? fill(target, static_cast<unsigned char>(value), 1, bytes)
                            : enqueue(stream, fill_work(target, bytes, value, bytes, 1));
}

cudaError_t cudaMemPrefetchAsync(void const* pointer, std::size_t bytes, int, cudaStream_t stream) {
    if (cudaError_t const error = refuse_on_capturing(stream); error != cudaSuccess) {
        return error;
    }
    return report(is_valid(pointer, bytes, true) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemAdvise(void const* pointer, std::size_t bytes, cudaMemoryAdvise, int) {
    return report(is_valid(pointer, bytes, true) ? cudaSuccess : cudaErrorInvalidValue);
}
