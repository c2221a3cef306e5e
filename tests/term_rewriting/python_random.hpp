#pragma once
// The permutations for which the published counts are valid.

#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace lockstep::term_rewriting::tests {

// MT19937 with the seeding of Python's random.Random(1), and Python's shuffle.
class PythonRandom {
public:
    PythonRandom() {
        state_[0] = 19650218u;
        for (unsigned i = 1; i < 624; ++i)
            state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
        unsigned i = 1;
        auto const wrap = [&] {
            if (++i == 624) {
                state_[0] = state_[623];
                i = 1;
            }
        };
        for (unsigned k = 0; k < 624; ++k, wrap())
            state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525u)) + 1u;
        for (unsigned k = 0; k < 623; ++k, wrap())
            state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941u)) - i;
        state_[0] = 0x80000000u;
    }

    std::vector<unsigned> permutation(unsigned count) {
        std::vector<unsigned> values(count);
        std::iota(values.begin(), values.end(), 0u);
        for (unsigned i = count - 1; i > 0; --i)
            std::swap(values[i], values[below(i + 1)]);
        return values;
    }

private:
    unsigned below(unsigned n) {
        unsigned bits = 0;
        while ((n >> bits) != 0)
            ++bits;
        unsigned value = 0;
        do {
            value = next() >> (32 - bits);
        } while (value >= n);
        return value;
    }

    unsigned next() {
        if (at_ == 624) {
            for (unsigned i = 0; i < 624; ++i) {
                unsigned const y = (state_[i] & 0x80000000u) | (state_[(i + 1) % 624] & 0x7fffffffu);
                state_[i] = state_[(i + 397) % 624] ^ (y >> 1) ^ ((y & 1u) * 0x9908b0dfu);
            }
            at_ = 0;
        }
        unsigned y = state_[at_++];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        return y ^ (y >> 18);
    }

    std::array<unsigned, 624> state_{};
    unsigned at_ = 624;
};

}  // namespace lockstep::term_rewriting::tests
