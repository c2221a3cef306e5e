#pragma once
// The table that maps addresses of host objects to ids.

#include <bit>
#include <cstdint>
#include <vector>

#include "harness/bench/error.hpp"
#include "kernels/object_layout/library/object_image.hpp"

namespace lockstep::object_layout {

// A hash table with open addressing from addresses to ids. Slots hold only ids; the addresses are in the list of
// objects. Consecutive objects, as allocators place them, get consecutive slots, so large graphs cause few cache
// misses. The upper bits of the address spread objects that lie at regular distances.
class IdTable {
public:
    explicit IdTable(std::vector<void const*>& objects) : objects_(objects) { resize(64); }

    void reserve(std::size_t count) {
        if (2 * count > slots_.size())
            resize(std::bit_ceil(2 * count));
    }

    // Returns the id of an object. `added` is true if the id is new.
    std::uint32_t find_or_add(void const* object, bool& added) {
        for (std::size_t slot = slot_of(object);; slot = (slot + 1) & mask_) {
            std::uint32_t const id = slots_[slot];
            if (id == no_id) {
                added = true;
                return add(object, slot);
            }
            if (objects_[id] == object) {
                added = false;
                return id;
            }
        }
    }

private:
    std::size_t slot_of(void const* object) const {
        std::uint64_t const number = reinterpret_cast<std::uintptr_t>(object) >> 4;
        return static_cast<std::size_t>((number + (number >> shift_) * 0x9E3779B97F4A7C15ull) & mask_);
    }
    std::uint32_t add(void const* object, std::size_t slot) {
        std::uint32_t const id = static_cast<std::uint32_t>(objects_.size());
        if (id == no_id)
            throw bench::Error("too many objects", "an id has 32 bits");
        objects_.push_back(object);
        slots_[slot] = id;
        if (2 * objects_.size() > slots_.size())
            resize(2 * slots_.size());
        return id;
    }
    void resize(std::size_t size) {
        slots_.assign(size, no_id);
        mask_ = size - 1;
        shift_ = static_cast<unsigned>(std::countr_zero(size));
        for (std::uint32_t id = 0; id < objects_.size(); ++id) {
            std::size_t slot = slot_of(objects_[id]);
            while (slots_[slot] != no_id)
                slot = (slot + 1) & mask_;
            slots_[slot] = id;
        }
    }

    std::vector<void const*>& objects_;
    std::vector<std::uint32_t> slots_;
    std::size_t mask_ = 0;
    unsigned shift_ = 0;
};

}  // namespace lockstep::object_layout
