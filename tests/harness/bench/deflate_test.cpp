// The compressed rows, read by a small decoder of fixed codes (RFC 1951) that is written for this test.

#include "harness/bench/deflate.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "harness/bench/png.hpp"

namespace lockstep::bench {
namespace {

class BitReader {
public:
    explicit BitReader(std::string const& bytes) : bytes_(bytes) {}

    unsigned bits(unsigned count) {
        unsigned value = 0;
        for (unsigned i = 0; i < count; ++i)
            value |= bit() << i;
        return value;
    }
    unsigned code(unsigned count) {
        unsigned value = 0;
        for (unsigned i = 0; i < count; ++i)
            value = value << 1 | bit();
        return value;
    }
    std::size_t whole_bytes() const { return (at_ + 7) / 8; }

private:
    unsigned bit() {
        unsigned const byte = static_cast<unsigned char>(bytes_.at(at_ / 8));
        return byte >> (at_++ % 8) & 1;
    }

    std::string const& bytes_;
    std::size_t at_ = 0;
};

unsigned next_symbol(BitReader& reader) {
    unsigned code = reader.code(7);
    if (code < 24)
        return 256 + code;
    code = code << 1 | reader.code(1);
    if (code >= 0x30 && code < 0xC0)
        return code - 0x30;
    if (code >= 0xC0 && code < 0xC8)
        return 280 + code - 0xC0;
    return 144 + (code << 1 | reader.code(1)) - 0x190;
}

std::size_t match_length(BitReader& reader, unsigned code) {
    if (code == 28)
        return 258;
    unsigned const extra = code < 8 ? 0 : code / 4 - 1;
    std::size_t const base = code < 8 ? 3 + code : 3 + ((4u + code % 4) << extra);
    return base + reader.bits(extra);
}

std::size_t match_distance(BitReader& reader) {
    unsigned const code = reader.code(5);
    unsigned const extra = code < 4 ? 0 : code / 2 - 1;
    std::size_t const base = code < 4 ? 1 + code : 1 + ((2u + code % 2) << extra);
    return base + reader.bits(extra);
}

std::string inflated(std::string const& stream) {
    std::string const body = stream.substr(2);
    BitReader reader(body);
    EXPECT_EQ(reader.bits(1), 1u);
    EXPECT_EQ(reader.bits(2), 1u);
    std::string text;
    for (unsigned next = next_symbol(reader); next != 256; next = next_symbol(reader)) {
        if (next < 256) {
            text += static_cast<char>(next);
            continue;
        }
        std::size_t const length = match_length(reader, next - 257);
        std::size_t const distance = match_distance(reader);
        for (std::size_t i = 0; i < length; ++i)
            text += text.at(text.size() - distance);
    }
    EXPECT_EQ(reader.whole_bytes() + 4, body.size()) << "the check sum follows the last block";
    return text;
}

TEST(Deflate, RestoresEveryByteAndLength) {
    std::string all;
    for (int repeat = 0; repeat < 600; ++repeat) {
        all += static_cast<char>(repeat);
        all.append(static_cast<std::size_t>(repeat), static_cast<char>(7 * repeat));
    }
    for (std::size_t const row : {1u, 4u, 97u, 3601u, 30001u, 40000u})
        EXPECT_EQ(inflated(compressed_rows(all, 3, row)), all) << row;
    EXPECT_EQ(inflated(compressed_rows("", 3, 10)), "");
    EXPECT_EQ(inflated(compressed_rows("abcabcabcabcabc", 3, 15)), "abcabcabcabcabc");
}

TEST(Deflate, KnowsAnAnswerByHand) {
    // Bits: 1 10 (last block, fixed codes), 10010001 ('a' is 0x30 + 97), 0000000 (end); then Adler-32 of "a".
    EXPECT_EQ(compressed_rows("a", 3, 4), std::string("\x78\x01\x4b\x04\0\0\x62\0\x62", 9));
}

TEST(Deflate, MakesPicturesSmall) {
    Image const plain(1000, 1000, {13, 17, 23});
    EXPECT_LT(png_of(plain).size(), 40'000u);
}

}  // namespace
}  // namespace lockstep::bench
