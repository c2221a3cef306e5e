#pragma once
// The columns' memory, which grows: twice as many slots at a time, column by column, up to the user's limit.

#include <vector>

#include "harness/jit/device.hpp"
#include "kernels/term_rewriting/as_printed/columns.hpp"
#include "kernels/term_rewriting/as_printed/program.hpp"

namespace lockstep::term_rewriting::as_printed {

class ColumnMemory {
public:
    // `limit` bytes for everything that is allocated here, less where the device has less.
    ColumnMemory(System const& system, jit::Device& device, Options const& options, std::uint64_t limit);

    // Room for `slots` slots, of which the first `used` are kept; what the ring of free indices holds must not wrap
    // around its end. False where the limit or the device does not allow
    // it; the columns are then as they were.
    bool grow_to(std::uint64_t slots, std::uint64_t used);
    // Twice as many slots, or as many more as the limit allows; false where those are few.
    bool grow(std::uint64_t used);
    // Four times the memory for comparisons. What is there need not be kept.
    bool grow_comparisons();

    // As many slots as the limit allows.
    std::uint64_t max_slots() const;
    std::uint64_t bytes_for(std::uint64_t slots) const { return slots * slot_bytes_; }

    Columns const& columns() const { return columns_; }
    Wide* comparisons() const { return comparisons_.data(); }
    std::uint64_t comparison_words() const { return comparisons_.size(); }
    std::uint64_t max_bytes() const { return max_bytes_; }

private:
    using Bytes = jit::DeviceArray<unsigned char>;

    // Bytes a slot; arguments are `parts` parts, each as long as the columns. A ring is kept whole.
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
