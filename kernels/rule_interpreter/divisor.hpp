#pragma once
// Remainders by a number that the host knows: one multiplication instead of a division.

#include "harness/simt/kernel.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// Exact for numbers below 2^31 (Granlund and Montgomery, PLDI 1994): with 2^shift the least power of two that is at
// least the divisor, the quotient is n (2^32 + factor) / 2^(32 + shift), rounded down.
class Divisor {
public:
    // Precondition: 0 < divisor < 2^31.
    explicit Divisor(unsigned divisor) : divisor_(divisor) {
        while (1u << shift_ < divisor)
            ++shift_;
        factor_ = static_cast<unsigned>(((1ull << 32) * ((1ull << shift_) - divisor)) / divisor + 1);
    }
    __device__ unsigned remainder(unsigned n) const { return n - ((__umulhi(n, factor_) + n) >> shift_) * divisor_; }

private:
    unsigned divisor_;
    unsigned factor_ = 0;
    unsigned shift_ = 0;
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
