#pragma once
// Handles of texture and surface objects. Kernels look a handle up at each access, on several CPU threads, so a look-up
// takes no lock. A destroyed object keeps its place, so a later use of its handle is an error and no wild access.

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

namespace lockstep::simt::cuda {

template <class Object>
class Handles {
public:
    using Handle = unsigned long long;  // 0 is none

    // Returns 0 if there have been too many objects.
    Handle add(Object const& object) {
        std::lock_guard const lock(mutex_);
        std::size_t const index = size_;
        if (index == chunks * per_chunk) {
            return 0;
        }
        std::atomic<Chunk*>& chunk = chunks_[index / per_chunk];
        if (chunk.load() == nullptr) {
            chunk.store(new Chunk);
        }
        (*chunk.load())[index % per_chunk].store(new Object(object));
        ++size_;
        return index + 1;
    }

    // Returns null if the handle names no object.
    Object const* find(Handle handle) const {
        std::size_t const index = handle - 1;
        if (index >= chunks * per_chunk) {
            return nullptr;
        }
        Chunk const* const chunk = chunks_[index / per_chunk].load(std::memory_order_acquire);
        return chunk == nullptr ? nullptr : (*chunk)[index % per_chunk].load(std::memory_order_acquire);
    }

    bool remove(Handle handle) {
        std::lock_guard const lock(mutex_);
        Object const* const object = find(handle);
        if (object == nullptr) {
            return false;
        }
        (*chunks_[(handle - 1) / per_chunk].load())[(handle - 1) % per_chunk].store(nullptr);
        delete object;
        return true;
    }

private:
    static constexpr std::size_t per_chunk = 1024;
    static constexpr std::size_t chunks = 1024;
    using Chunk = std::array<std::atomic<Object*>, per_chunk>;

    std::mutex mutex_;
    std::size_t size_ = 0;
    std::array<std::atomic<Chunk*>, chunks> chunks_{};
};

}  // namespace lockstep::simt::cuda
