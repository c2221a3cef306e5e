#pragma once
// From the layout in which kernels store the sets of their streams (bench::WordLayout) to one set after another.

#include "harness/bench/digest.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// The words of a part of the streams, unit after unit: [first, first + count) of all layout.units x layout.words.
struct WordRange {
    unsigned long long first = 0;
    unsigned long long count = 0;
};

// Queues packed[i] = word range.first + i. Both arrays are in memory of the machine.
void pack_words(bench::WordLayout const& layout, unsigned const* stored, WordRange const& range, unsigned* packed,
                simt::Stream stream);

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
