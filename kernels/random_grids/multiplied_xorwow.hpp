#pragma once
// XORWOW for kernels whose busiest pipe is the one of additions and logic: the two additions of a word are
// multiplications by a one that the compiler does not know, so that the other pipe does them. One instruction more per
// word. Produces the words of random::Xorwow.

#include "harness/random/streams.hpp"
#include "harness/random/xorwow.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

class MultipliedXorwow {
public:
    // `step` is Xorwow::weyl_step and `one` is 1, both from a launch's parameters.
    __device__ MultipliedXorwow(unsigned long long seed, unsigned long long unit, unsigned step, unsigned one)
        : step_(step), one_(one) {
        random::Words4 const first = random::LOCKSTEP_MACHINE::naming_words(seed, unit, 0, 0);
        random::Words4 const second = random::LOCKSTEP_MACHINE::naming_words(seed, unit, 0, 1);
        bool const all_zero = (first.x | first.y | first.z | first.w | second.x) == 0;
        a_ = first.x, b_ = first.y, c_ = first.z, d_ = first.w, e_ = all_zero ? 1u : second.x;
        weyl_ = second.y;
    }

    __device__ unsigned operator()() {
        unsigned const leaving = a_ ^ (a_ >> 2);
        a_ = b_, b_ = c_, c_ = d_, d_ = e_;
        e_ = e_ ^ (e_ << 4) ^ leaving ^ (leaving << 1);
        weyl_ = step_ * one_ + weyl_;
        return e_ * one_ + weyl_;
    }

private:
    unsigned a_, b_, c_, d_, e_;
    unsigned weyl_;
    unsigned step_;
    unsigned one_;
};

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
