#include "harness/bench/deflate.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace lockstep::bench {

namespace {

constexpr std::size_t min_match = 3;
constexpr std::size_t max_match = 258;
constexpr std::size_t max_distance = 32768;
constexpr unsigned end_of_block = 256;

// RFC 1951, Section 3.2.5: the least value of each code; a value has as many extra bits as its code says.
constexpr std::array<std::uint16_t, 29> length_base = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> length_bits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<std::uint16_t, 30> distance_base = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                         33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                         1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};

// Bits of a stream, the least significant first.
class Bits {
public:
    explicit Bits(std::string& text) : text_(text) {}

    void put(std::uint32_t value, unsigned count) {
        word_ |= std::uint64_t{value} << used_;
        used_ += count;
        while (used_ >= 8) {
            text_ += static_cast<char>(word_ & 0xFF);
            word_ >>= 8;
            used_ -= 8;
        }
    }

    // Codes are the exception: their most significant bit comes first.
    void put_code(std::uint32_t code, unsigned count) {
        for (unsigned bit = count; bit-- > 0;)
            put(code >> bit & 1, 1);
    }

    void finish() {
        if (used_ > 0)
            put(0, 8 - used_);
    }

private:
    std::string& text_;
    std::uint64_t word_ = 0;
    unsigned used_ = 0;
};

// A literal, a length code or the end of the block (RFC 1951, Section 3.2.6).
void put_symbol(Bits& bits, unsigned symbol) {
    if (symbol < 144) {
        bits.put_code(0x30 + symbol, 8);
    } else if (symbol < 256) {
        bits.put_code(0x190 + symbol - 144, 9);
    } else if (symbol < 280) {
        bits.put_code(symbol - 256, 7);
    } else {
        bits.put_code(0xC0 + symbol - 280, 8);
    }
}

template <class Base>
unsigned code_of(Base const& base, std::size_t value) {
    return static_cast<unsigned>(std::upper_bound(base.begin(), base.end(), value) - base.begin()) - 1;
}

void put_match(Bits& bits, std::size_t length, std::size_t distance) {
    unsigned const code = code_of(length_base, length);
    put_symbol(bits, 257 + code);
    bits.put(static_cast<std::uint32_t>(length - length_base[code]), length_bits[code]);
    unsigned const far = code_of(distance_base, distance);
    bits.put_code(far, 5);
    bits.put(static_cast<std::uint32_t>(distance - distance_base[far]), far < 2 ? 0 : far / 2 - 1);
}

std::size_t match_at(std::string_view bytes, std::size_t at, std::size_t distance) {
    if (distance == 0 || distance > at || distance > max_distance)
        return 0;
    std::size_t const longest = std::min(max_match, bytes.size() - at);
    std::size_t length = 0;
    while (length < longest && bytes[at + length] == bytes[at + length - distance])
        ++length;
    return length;
}

std::uint32_t adler(std::string_view bytes) {
    std::uint32_t low = 1;
    std::uint32_t high = 0;
    for (char const byte : bytes) {
        low = (low + static_cast<unsigned char>(byte)) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

}  // namespace

std::string compressed_rows(std::string_view bytes, std::size_t pixel, std::size_t row) {
    std::string stream = "\x78\x01";
    Bits bits(stream);
    bits.put(1, 1);  // the last block
    bits.put(1, 2);  // with fixed codes
    for (std::size_t at = 0; at < bytes.size();) {
        std::size_t const near = match_at(bytes, at, pixel);
        std::size_t const above = match_at(bytes, at, row);
        std::size_t const length = std::max(near, above);
        if (length < min_match) {
            put_symbol(bits, static_cast<unsigned char>(bytes[at]));
            ++at;
        } else {
            put_match(bits, length, near >= above ? pixel : row);
            at += length;
        }
    }
    put_symbol(bits, end_of_block);
    bits.finish();
    std::uint32_t const check = adler(bytes);
    for (unsigned shift = 32; shift > 0; shift -= 8)
        stream += static_cast<char>(check >> (shift - 8) & 0xFF);
    return stream;
}

}  // namespace lockstep::bench
