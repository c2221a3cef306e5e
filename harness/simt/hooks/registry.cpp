#include "harness/simt/hooks/registry.hpp"

#include <algorithm>
#include <cstring>

namespace lockstep::simt::hooks {

constinit Registry* registry = nullptr;

Registry& make_registry() {
    static Registry& instance = *new Registry;
    registry = &instance;
    return instance;
}

std::string Allocation::describe(Address at) const {
    std::string const what = (name != nullptr ? "variable '" + std::string(name) + "'" : std::string("a buffer")) +
                             " of " + std::to_string(bytes) + " bytes";
    if (at < begin) {
        return std::to_string(begin - at) + " bytes before " + what;
    }
    if (at - begin >= bytes) {
        return std::to_string(at - begin - bytes) + " bytes behind " + what;
    }
    return "byte " + std::to_string(at - begin) + " of " + what;
}

void Registry::add(Address begin, std::size_t bytes, Memory kind, char const* name) {
    std::lock_guard const lock(mutex_);
    if (kind == Memory::variable && name == nullptr && is_known_variable(begin, bytes)) {
        return;  // the runtime tells of a variable that a copy names, too
    }
    // Freed allocations whose memory is used again, for the new one or its redzones, are forgotten.
    auto old = allocations_.upper_bound(begin - redzone);
    if (old != allocations_.begin()) {
        --old;
    }
    while (old != allocations_.end() && old->first < begin + bytes + redzone) {
        Allocation* const known = old->second.get();
        bool const overlaps = known->begin < begin + bytes && begin < known->begin + known->bytes;
        bool const in_redzones = known->begin + known->bytes > begin - redzone;
        if (overlaps || known->begin == begin || (known->freed && in_redzones)) {
            known->freed = true;
            for (std::atomic<Allocation*>& hint : hints_) {
                if (hint.load(std::memory_order_relaxed) == known) {
                    hint.store(nullptr, std::memory_order_relaxed);
                }
            }
            retire(std::move(old->second));
            old = allocations_.erase(old);
        } else {
            ++old;
        }
    }
    auto allocation = std::make_unique<Allocation>(begin, bytes, kind, name);
    if (kind != Memory::device) {
        allocation->shadow.mark_set(0, bytes);
    } else {
        lowest_device_ = std::min(lowest_device_.load(), begin);
        highest_device_ = std::max(highest_device_.load(), begin + bytes);
        for (std::atomic<Address>& chunk : open_chunks_) {
            chunk.store(0, std::memory_order_relaxed);
        }
    }
    allocations_.emplace(begin, std::move(allocation));
    lowest_ = std::min(lowest_.load(), begin);
    highest_ = std::max(highest_.load(), begin + bytes);
}

// Another thread may have found the allocation just before, without the lock. So it lives until many others are
// retired.
void Registry::retire(std::unique_ptr<Allocation> allocation) {
    constexpr std::size_t kept = 64;
    retired_.push_back(std::move(allocation));
    if (retired_.size() > kept) {
        retired_.pop_front();
    }
}

void Registry::remove(Address begin) {
    std::lock_guard const lock(mutex_);
    auto const found = allocations_.find(begin);
    if (found != allocations_.end()) {
        found->second->freed = true;
    }
}

bool Registry::is_known_variable(Address begin, std::size_t bytes) const {
    auto const found = allocations_.find(begin);
    return found != allocations_.end() && !found->second->freed && found->second->name != nullptr &&
           found->second->bytes == bytes;
}

void Registry::guard(Address begin) {
    std::lock_guard const lock(mutex_);
    auto const found = allocations_.find(begin);
    if (found != allocations_.end()) {
        found->second->guarded = true;
        lowest_guard_ = std::min(lowest_guard_.load(), begin - redzone);
        highest_guard_ = std::max(highest_guard_.load(), begin + found->second->bytes + redzone);
    }
}

Allocation* Registry::guarded_by(Address at) {
    if (at < lowest_guard_.load(std::memory_order_relaxed) || at >= highest_guard_.load(std::memory_order_relaxed)) {
        return nullptr;
    }
    Allocation* const found = nearest(at, redzone);
    return found != nullptr && found->guarded ? found : nullptr;
}

Allocation* Registry::starting_at_or_before(Address at) {
    auto const above = allocations_.upper_bound(at);
    return above == allocations_.begin() ? nullptr : std::prev(above)->second.get();
}

Allocation* Registry::find_slowly(Address at, std::size_t bytes) {
    if (at < lowest_.load(std::memory_order_relaxed) || at >= highest_.load(std::memory_order_relaxed)) {
        return nullptr;
    }
    std::lock_guard const lock(mutex_);
    Allocation* const found = starting_at_or_before(at);
    if (found == nullptr || found->freed || !found->contains(at, bytes)) {
        return nullptr;
    }
    hints_[at / alignment % hint_count].store(found, std::memory_order_release);
    return found;
}

Allocation* Registry::nearest(Address at, std::size_t distance) {
    std::lock_guard const lock(mutex_);
    Allocation* const below = starting_at_or_before(at);
    if (below != nullptr && below->contains(at, 1)) {
        return below;
    }
    if (below != nullptr && !below->freed && at - below->begin - below->bytes < distance) {
        return below;
    }
    auto const above = allocations_.upper_bound(at);
    bool const is_near = above != allocations_.end() && above->first - at <= distance && !above->second->freed;
    return is_near ? above->second.get() : nullptr;
}

void Registry::host_writes(Address at, std::size_t bytes) {
    if (Allocation* const found = find(at, bytes)) {
        found->shadow.mark_set(at - found->begin, bytes);
    }
}

void Registry::host_copies(Address target, Address source, std::size_t bytes) {
    Allocation* const to = find(target, bytes);
    Allocation* const from = find(source, bytes);
    if (to != nullptr && from != nullptr) {
        std::memmove(to->shadow.set_flags() + (target - to->begin), from->shadow.set_flags() + (source - from->begin),
                     bytes);
    } else if (to != nullptr) {
        to->shadow.mark_set(target - to->begin, bytes);
    }
}

void allocated(void const* data, std::size_t bytes, Memory kind, char const* name) {
    make_registry().add(reinterpret_cast<Address>(data), bytes, kind, name);
}

void guarded(void const* data) {
    if (registry != nullptr) {
        registry->guard(reinterpret_cast<Address>(data));
    }
}

void freed(void const* data) {
    if (registry != nullptr) {
        registry->remove(reinterpret_cast<Address>(data));
    }
}

void written(void const* data, std::size_t bytes) {
    if (registry != nullptr) {
        registry->host_writes(reinterpret_cast<Address>(data), bytes);
    }
}

void copied(void const* target, void const* source, std::size_t bytes) {
    if (registry != nullptr) {
        registry->host_copies(reinterpret_cast<Address>(target), reinterpret_cast<Address>(source), bytes);
    }
}

}  // namespace lockstep::simt::hooks
