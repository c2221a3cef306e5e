#pragma once
// Remainders by a number that the host knows: one multiplication instead of a division.

#include "harness/simt/kernel.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// Exact for numbers below 2^31 (Granlund and Montgomery, PLDI 1994, theorem 4.2 with N = 31): with 2^(shift + 1) the
// least power of two that is at least the divisor, the quotient is n * factor / 2^(32 + shift), rounded down, where
// factor is 2^(32 + shift) / divisor, rounded up.
class Divisor {
public:
    // Precondition: 1 < divisor < 2^31.
    explicit Divisor(unsigned divisor) : minus_divisor_(0u - divisor) {
        while (2u << shift_ < divisor)
            ++shift_;
        factor_ = static_cast<unsigned>(((1ull << (32 + shift_)) + divisor - 1) / divisor);
    }
    __device__ unsigned quotient(unsigned n) const { return __umulhi(n, factor_) >> shift_; }
    __device__ unsigned remainder(unsigned n) const { return n + quotient(n) * minus_divisor_; }

private:
    unsigned minus_divisor_;  // so that the remainder is one multiply-add
    unsigned factor_ = 0;
    unsigned shift_ = 0;
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
