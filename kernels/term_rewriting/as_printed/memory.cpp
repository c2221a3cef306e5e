#include "kernels/term_rewriting/as_printed/memory.hpp"

#include <algorithm>

#include "kernels/term_rewriting/generate_cuda.hpp"

namespace lockstep::term_rewriting::as_printed {

namespace {

// Positions in the free list are below twice the capacity, in 32 bits.
constexpr std::uint64_t slot_limit = (std::uint64_t{1} << 31) - 1;

}  // namespace

ColumnMemory::ColumnMemory(System const& system, jit::Device& device, Options const& options, std::uint64_t limit)
    : device_(device),
      limit_(std::min(limit, device.free_memory() / 16 * 15)),
      collects_(options.collects),
      shortcut_(options.shortcut) {
    auto const add = [&](std::size_t width, std::size_t parts, bool ring = false) {
        all_.push_back({width, parts, ring, {}});
        slot_bytes_ += width * parts;
        widest_ = std::max(widest_, width * parts);
    };
    add(symbol_bytes(system), 1);
    add(sizeof(unsigned), largest_arity(system));
    add(1, 1);
    add(1, 1);
    add(sizeof(unsigned), collects_ ? 1 : 0);
    add(sizeof(unsigned), collects_ ? 1 : 0);
    add(sizeof(unsigned), collects_ ? 1 : 0, true);
    add(last_bytes(system), shortcut_ ? 1 : 0);
    add(sizeof(unsigned), options.order != Order::topology ? 1 : 0);
    add(sizeof(unsigned), options.order != Order::topology ? 1 : 0);
}

std::uint64_t ColumnMemory::max_slots() const { return std::min(limit_ / slot_bytes_, slot_limit); }

bool ColumnMemory::fits(std::uint64_t slots, std::uint64_t other_bytes) const {
    return slots <= slot_limit && slots * slot_bytes_ + other_bytes + comparisons_.size() * sizeof(Wide) <= limit_;
}

bool ColumnMemory::grow_to(std::uint64_t slots, std::uint64_t used) {
    // While one column is copied its old memory is held too.
    std::uint64_t const other_bytes = std::uint64_t{columns_.capacity} * widest_;
    if (!fits(slots, other_bytes))
        return false;
    for (Column& column : all_) {
        Bytes fresh(device_, slots * column.width * column.parts);
        if (fresh.missing()) {
            // Columns that have grown stay so: their parts are farther apart, so only a first allocation may fail here
            // without harm. The caller ends the run.
            columns_.capacity = 0;
            return false;
        }
        // Columns are copied and downloaded whole, with slots and arguments that no term has.
        fresh.fill(0);
        for (std::size_t part = 0; part < column.parts && used != 0; ++part) {
            device_.copy(fresh.data() + part * slots * column.width,
                         column.memory.data() + part * columns_.capacity * column.width,
                         (column.ring ? columns_.capacity : used) * column.width);
        }
        device_.synchronize();
        column.memory = std::move(fresh);
    }
    max_bytes_ = std::max(max_bytes_, slots * slot_bytes_ + other_bytes + comparisons_.size() * sizeof(Wide));
    set_columns(slots);
    return true;
}

bool ColumnMemory::grow(std::uint64_t used) {
    std::uint64_t const slots = columns_.capacity;
    std::uint64_t const held = slots * widest_ + comparisons_.size() * sizeof(Wide);
    std::uint64_t const allowed = held > limit_ ? 0 : (limit_ - held) / slot_bytes_;
    std::uint64_t const wanted = std::min({2 * slots, allowed, slot_limit});
    return wanted >= slots + slots / 8 + 1 && grow_to(wanted, used);
}

bool ColumnMemory::grow_comparisons() {
    std::uint64_t const words = std::max<std::uint64_t>(4 * comparisons_.size(), 1 << 14);
    std::uint64_t const held = columns_.capacity * slot_bytes_;
    if (held + words * sizeof(Wide) > limit_)
        return false;
    comparisons_ = {};
    jit::DeviceArray<Wide> fresh(device_, words);
    if (fresh.missing())
        return false;
    comparisons_ = std::move(fresh);
    max_bytes_ = std::max(max_bytes_, held + words * sizeof(Wide));
    return true;
}

void ColumnMemory::set_columns(std::uint64_t slots) {
    auto const at = [&](std::size_t i) { return static_cast<void*>(all_[i].memory.data()); };
    columns_.hss = at(0);
    columns_.arguments = static_cast<unsigned*>(at(1));
    columns_.nf = static_cast<unsigned char*>(at(2));
    columns_.nf_read = static_cast<unsigned char*>(at(3));
    columns_.refcounts = static_cast<unsigned*>(at(4));
    columns_.refcounts_read = static_cast<unsigned*>(at(5));
    columns_.free_indices = static_cast<unsigned*>(at(6));
    columns_.last_checked = at(7);
    columns_.listed = static_cast<unsigned*>(at(8));
    columns_.next_listed = static_cast<unsigned*>(at(9));
    columns_.capacity = static_cast<unsigned>(slots);
}

}  // namespace lockstep::term_rewriting::as_printed
