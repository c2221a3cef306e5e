#pragma once
// The bits of a key in the order of the keys, as CUB's radix sorts compare them: a number of bits of the key's unsigned
// image. The bits of a negative floating-point number are inverted; those of others, and of signed integers, have the
// sign bit inverted.

#include <cstdint>
#include <type_traits>

namespace cub {

namespace details {

template <std::size_t bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
    using type = std::uint8_t;
};
template <>
struct UnsignedOf<2> {
    using type = std::uint16_t;
};
template <>
struct UnsignedOf<4> {
    using type = std::uint32_t;
};
template <>
struct UnsignedOf<8> {
    using type = std::uint64_t;
};

}  // namespace details

template <class T>
struct Traits {
    using UnsignedBits = typename details::UnsignedOf<sizeof(T)>::type;
    static constexpr auto high_bit = static_cast<UnsignedBits>(UnsignedBits{1} << (8 * sizeof(T) - 1));

    static UnsignedBits TwiddleIn(UnsignedBits bits) {
        if constexpr (std::is_unsigned_v<T>) {
            return bits;
        } else if constexpr (std::is_integral_v<T>) {
            return bits ^ high_bit;
        } else {
            return static_cast<UnsignedBits>((bits & high_bit) != 0 ? ~bits : bits ^ high_bit);
        }
    }
    static UnsignedBits TwiddleOut(UnsignedBits bits) {
        if constexpr (std::is_integral_v<T>) {
            return TwiddleIn(bits);
        } else {
            return static_cast<UnsignedBits>((bits & high_bit) != 0 ? bits ^ high_bit : ~bits);
        }
    }
};

namespace details {

// Bits [begin, end) of the image of a key. Minus zero sorts as zero.
template <class K>
auto key_bits(K const& key, int begin, int end) {
    using Bits = typename Traits<K>::UnsignedBits;
    Bits bits;
    __builtin_memcpy(&bits, static_cast<void const*>(&key), sizeof bits);
    if (!std::is_integral_v<K> && bits == Traits<K>::high_bit) {
        bits = 0;
    }
    constexpr int all = 8 * static_cast<int>(sizeof(K));
    auto const low = static_cast<Bits>(begin < all ? Traits<K>::TwiddleIn(bits) >> begin : 0);
    return end - begin >= all ? low : static_cast<Bits>(low & ((Bits{1} << (end - begin)) - 1));
}

// Whether key a comes before key b.
struct KeyOrder {
    int begin;
    int end;
    bool descending;

    template <class K>
    bool operator()(K const& a, K const& b) const {
        auto const first = key_bits(a, begin, end);
        auto const second = key_bits(b, begin, end);
        return descending ? second < first : first < second;
    }
};

}  // namespace details
}  // namespace cub
