#pragma once
// Rows from packed sites: site s of a board is bit s % 32 of word s / 32, and rows begin at multiples of the width.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Takes the packed words of boards in order and puts the words of their rows. Everything but the sites is the same in
// all lanes.
class RowCutter {
public:
    __device__ RowCutter(unsigned width) : width_(width), left_(width) {}

    // `count`: sites in the word, 32 unless the board ends.
    template <class Put>
    __device__ void put(unsigned word, unsigned count, Put&& put_word) {
        sites_ |= static_cast<unsigned long long>(word) << held_;
        held_ += count;
        for (;;) {
            unsigned const taken = left_ < 32 ? left_ : 32;
            if (taken > held_)
                return;
            put_word(static_cast<unsigned>(sites_) & 0xFFFFFFFFu >> (32 - taken));
            sites_ >>= taken;
            held_ -= taken;
            left_ = left_ == taken ? width_ : left_ - taken;
            if (held_ == 0)
                return;
        }
    }

private:
    unsigned width_;
    unsigned left_;      // sites of the row that are still to come
    unsigned held_ = 0;  // sites held, fewer than 32 between calls
    unsigned long long sites_ = 0;
};

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
