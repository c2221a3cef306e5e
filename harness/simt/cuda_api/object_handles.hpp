#pragma once
// Handles of texture and surface objects. Kernels look a handle up at each access, on several CPU threads, so a look-up
// takes no lock. A place is used again with another generation, so the handle of a destroyed object is found to be one.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace lockstep::simt::cuda {

// `kind` differs between objects of different kinds, so that no handle is valid for another kind.
template <class Object, unsigned kind>
class Handles {
public:
    using Handle = unsigned long long;  // 0 is none

    // Returns 0 if there are too many objects.
    Handle add(Object object) {
        std::lock_guard const lock(mutex_);
        if (unused_.empty() && size_ == chunks * per_chunk) {
            return 0;
        }
        std::size_t index = size_;
        if (unused_.empty()) {
            ++size_;
        } else {
            index = unused_.back();
            unused_.pop_back();
        }
        std::atomic<Chunk*>& chunk = chunks_[index / per_chunk];
        if (chunk.load() == nullptr) {
            chunk.store(new Chunk);
        }
        Handle const handle = ++generation_ << 32 | Handle{kind} << 28 | index;
        (*chunk.load())[index % per_chunk].store(new Entry{handle, std::move(object)});
        return handle;
    }

    // Returns null if the handle names no object.
    Object const* find(Handle handle) const {
        std::size_t const index = handle & ((1u << 28) - 1);
        if (index >= chunks * per_chunk) {
            return nullptr;
        }
        Chunk const* const chunk = chunks_[index / per_chunk].load(std::memory_order_acquire);
        Entry const* const entry =
            chunk == nullptr ? nullptr : (*chunk)[index % per_chunk].load(std::memory_order_acquire);
        return entry == nullptr || entry->handle != handle ? nullptr : &entry->object;
    }

    bool remove(Handle handle) {
        std::lock_guard const lock(mutex_);
        if (find(handle) == nullptr) {
            return false;
        }
        std::size_t const index = handle & ((1u << 28) - 1);
        delete (*chunks_[index / per_chunk].load())[index % per_chunk].exchange(nullptr);
        unused_.push_back(index);
        return true;
    }

private:
    struct Entry {
        Handle handle;
        Object object;
    };
    static constexpr std::size_t per_chunk = 1024;
    static constexpr std::size_t chunks = 1024;
    using Chunk = std::array<std::atomic<Entry*>, per_chunk>;

    std::mutex mutex_;
    std::size_t size_ = 0;
    std::vector<std::size_t> unused_;
    std::uint64_t generation_ = 0;
    std::array<std::atomic<Chunk*>, chunks> chunks_{};
};

}  // namespace lockstep::simt::cuda
