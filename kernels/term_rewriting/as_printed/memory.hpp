#pragma once
// Memory for the columns. The number of slots doubles on demand, column by column, up to the user's limit.

#include <vector>

#include "harness/jit/device.hpp"
#include "kernels/term_rewriting/as_printed/columns.hpp"
#include "kernels/term_rewriting/as_printed/program.hpp"

namespace lockstep::term_rewriting::as_printed {

class ColumnMemory {
public:
    // `limit`: bytes for everything that is allocated here; less if the device has less.
    ColumnMemory(System const& system, jit::Device& device, Options const& options, std::uint64_t limit);

    // Allocates `slots` slots and keeps the first `used`. The contents of the ring of free indices must not wrap around
    // its end. Returns false if the limit does not allow it, and then the columns are unchanged, or if the device does
    // not, and then the capacity is 0 and nothing is kept.
    bool grow_to(std::uint64_t slots, std::uint64_t used);
    // Doubles the number of slots, or adds as many as the limit allows. Returns false if that is less than an eighth
    // more, or if grow_to() fails.
    bool grow(std::uint64_t used);
    // Quadruples the memory for comparisons. Its contents are lost.
    bool grow_comparisons();

    // Number of slots that the limit allows.
    std::uint64_t max_slots() const;
    std::uint64_t bytes_for(std::uint64_t slots) const { return slots * slot_bytes_; }

    Columns const& columns() const { return columns_; }
    Wide* comparisons() const { return comparisons_.data(); }
    std::uint64_t comparison_words() const { return comparisons_.size(); }
    std::uint64_t max_bytes() const { return max_bytes_; }

private:
    using Bytes = jit::DeviceArray<unsigned char>;

    // `width`: bytes per slot. Arguments have several parts, each as long as the other columns. A ring is always copied
    // completely.
    struct Column {
        std::size_t width;
        std::size_t parts;
        bool ring;
        Bytes memory;
    };

    bool fits(std::uint64_t slots, std::uint64_t other_bytes) const;
    void set_columns(std::uint64_t slots);

    jit::Device& device_;
    std::uint64_t limit_;
    std::size_t slot_bytes_ = 0;
    std::size_t widest_ = 0;
    std::vector<Column> all_;
    bool collects_;
    bool shortcut_;
    jit::DeviceArray<Wide> comparisons_;
    Columns columns_ = {};
    std::uint64_t max_bytes_ = 0;
};

}  // namespace lockstep::term_rewriting::as_printed
