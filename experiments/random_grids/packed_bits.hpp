#pragma once
// Bits in 32-bit words, lowest first.

#include <cstdint>

namespace lockstep::random_grids {

// Appends bits to words.
class BitWriter {
public:
    explicit BitWriter(std::uint32_t* to) : to_(to) {}

    // The `count` lowest bits of `bits`, 1 to 32; the others are 0.
    void put(std::uint32_t const bits, unsigned const count) {
        held_ |= std::uint64_t{bits} << held_bits_;
        held_bits_ += count;
        if (held_bits_ >= 32)
            write_word();
    }
    // Writes the last word, if it is not full.
    void finish() {
        if (held_bits_ != 0)
            write_word();
    }

private:
    void write_word() {
        *to_++ = static_cast<std::uint32_t>(held_);
        held_ >>= 32;
        held_bits_ = held_bits_ >= 32 ? held_bits_ - 32 : 0;
    }

    std::uint32_t* to_;
    std::uint64_t held_ = 0;
    unsigned held_bits_ = 0;
};

// Takes bits from words.
class BitReader {
public:
    explicit BitReader(std::uint32_t const* from) : from_(from) {}

    // The next `count` bits, 0 to 32.
    std::uint32_t take(unsigned const count) {
        if (held_bits_ < count) {
            held_ |= std::uint64_t{*from_++} << held_bits_;
            held_bits_ += 32;
        }
        std::uint32_t const bits = static_cast<std::uint32_t>(held_ & ((std::uint64_t{1} << count) - 1));
        held_ >>= count;
        held_bits_ -= count;
        return bits;
    }

private:
    std::uint32_t const* from_;
    std::uint64_t held_ = 0;
    unsigned held_bits_ = 0;
};

}  // namespace lockstep::random_grids
