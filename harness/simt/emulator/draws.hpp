#pragma once
// The random numbers that choose the order of lanes: a 64-bit linear congruential generator (Knuth, MMIX), whose high
// bits are used. It is not of harness/random, because that is built on simt.

#include <cstdint>
#include <utility>

namespace lockstep::simt::emulator {

class Draws {
public:
    Draws(std::uint64_t seed, std::uint64_t stream)
        : state_((seed + 1) * 0x9E3779B97F4A7C15u + (stream + 1) * 0xBF58476D1CE4E5B9u) {
        // Neighbouring seeds and streams differ in all bits (the finaliser of SplitMix64).
        state_ = (state_ ^ state_ >> 30) * 0xBF58476D1CE4E5B9u;
        state_ = (state_ ^ state_ >> 27) * 0x94D049BB133111EBu;
        state_ ^= state_ >> 31;
    }

    std::uint32_t word() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint32_t>(state_ >> 32);
    }
    // A number below `bound`, uniform but for a bias of bound / 2^32.
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(std::uint64_t{word()} * bound >> 32); }

private:
    std::uint64_t state_;
};

// Shuffles values[0 .. count).
template <class T>
void shuffle(T* values, unsigned count, Draws& draws) {
    for (unsigned left = count; left > 1; --left) {
        std::swap(values[draws.below(left)], values[left - 1]);
    }
}

}  // namespace lockstep::simt::emulator
