#pragma once
// Drawing of sets of up to 64 sites by number, with the tables of common/random_grids/unrank_tables.hpp: no loop over
// bits or halvings, so almost nothing diverges. A `View` provides access to a table.

#include "common/random_grids/unrank_tables.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <class Engine>
__host__ __device__ constexpr unsigned bits_of_words() {
    unsigned bits = 0;
    for (unsigned long long all = Engine::max(); all != 0; all >>= 1)
        ++bits;
    return bits;
}

// Central binomial coefficient: the maximum number of masks that one population of a part has.
__host__ __device__ constexpr unsigned long long max_masks(unsigned half) {
    unsigned long long value = 1;
    for (unsigned i = 0; i < half / 2; ++i)
        value = value * (half - i) / (i + 1);
    return value;
}

// Draws fields of half a random word each, the upper half first, as the upper bits of 32; lower bits are undefined.
template <unsigned count, class Engine>
__device__ inline void draw_fields(Engine& engine, unsigned (&fields)[count]) {
    constexpr unsigned bits = bits_of_words<Engine>();
#pragma unroll
    for (unsigned i = 0; i < count; i += 2) {
        unsigned const word = engine();
        fields[i] = word << (32 - bits);
        fields[i + 1] = word << (32 - bits / 2);
    }
}

enum class Side { smaller, larger, rejected };

// Decides by tail words for a field that does not decide, drawing as many as needed. view.tail(column, i) returns the
// bounds, upper words first.
template <class View, class Engine>
__device__ inline Side draw_tail(View& view, Engine& engine, unsigned column) {
    bool below = false;
    bool below_known = false;
    bool above = true;
    bool above_known = false;
    for (unsigned i = 0; i < View::tail_words; ++i) {
        unsigned const word = engine();
        unsigned const end = view.tail(column, i);
        unsigned const begin = view.tail(column, View::tail_words + i);
        if (!below_known && word != end) {
            below = word < end;
            below_known = true;
        }
        if (!above_known && word != begin) {
            above = word > begin;
            above_known = true;
        }
        if (below_known && above_known)
            break;
    }
    return below ? Side::smaller : above ? Side::larger : Side::rejected;
}

// Index of the column that the field selects: k * 2^column_bits + the field's upper bits.
template <class View>
__device__ inline unsigned split_column(unsigned k, unsigned field) {
    return __funnelshift_l(field, k, View::column_bits);
}

// Number of the k sites in the low part, from a field of random bits. view.entry(column) returns the table's entry. A
// field that does not decide only sets `undecided`.
template <unsigned word_bits, class View>
__device__ inline unsigned split_by_field(View& view, unsigned k, unsigned field, bool& undecided) {
    unsigned const entry = view.entry(split_column<View>(k, field));
    undecided = undecided || (field ^ entry) < 1u << (32 - word_bits / 2);
    return __byte_perm(entry, 0, field < entry ? 0x4440u : 0x4441u);  // one byte
}

// The same, but draws words from the engine if the field does not decide.
template <class View, class Engine>
__device__ inline unsigned draw_split(View& view, Engine& engine, unsigned k, unsigned field) {
    constexpr unsigned bits = bits_of_words<Engine>();
    for (;;) {
        bool undecided = false;
        unsigned const count = split_by_field<bits>(view, k, field, undecided);
        if (!undecided)
            return count;
        unsigned const column = split_column<View>(k, field);
        Side const side = draw_tail(view, engine, column);
        if (side != Side::rejected)
            return (side == Side::smaller ? view.entry(column) : view.entry(column) >> 8) & 0xFFu;
        field = engine() << (32 - bits);
    }
}

// Digits of a number made from 2 random words, to the base of the parts' sets, as positions in masks: first + step x
// digit. Returns the remaining fraction.
template <unsigned bits>
__device__ inline unsigned long long take_digits(unsigned high, unsigned low, PartSets const (&parts)[4], unsigned step,
                                                 unsigned (&masks)[4]) {
    using Long = unsigned long long;
    constexpr unsigned mask = bits == 32 ? 0xFFFFFFFFu : (1u << bits % 32) - 1;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
        unsigned const sets = parts[i].sets;
        unsigned const carried = bits == 32 ? __umulhi(low, sets) : low * sets >> bits % 32;
        Long const upper = static_cast<Long>(high) * sets + carried;
        masks[i] = parts[i].first + step * static_cast<unsigned>(upper >> bits);
        high = (high * sets + carried) & mask;
        low = low * sets & mask;
    }
    return static_cast<Long>(high) << bits | low;
}

// 2^bits modulo `numbers`. If `numbers` is large enough, by a quotient in double precision, which is then off by at
// most one: a third of the cost of a 64-bit remainder.
template <unsigned bits>
__device__ inline unsigned long long remainder_of_numbers(unsigned long long numbers) {
    using Long = unsigned long long;
    if (bits < 64)
        return (Long{1} << bits % 64) % numbers;
    if (numbers < 4096)
        return (0 - numbers) % numbers;
    Long const quotient = static_cast<Long>(18446744073709551616.0 / static_cast<double>(numbers));
    Long const rest = 0 - quotient * numbers;
    if (rest >> 63 != 0)
        return rest + numbers;
    return rest >= numbers ? rest - numbers : rest;
}

// Draws four masks of four parts from two random words, jointly as exact as one number below the product of all sets by
// Lemire's multiplication (harness/random/bounded.hpp) of 2 words. The number's digits to the base of the parts' sets
// are the carries of the multiplications. The result holds first + step x number for each mask. About one draw in a
// thousand might be rejected and needs the exact test.
template <unsigned half, class Engine>
__device__ inline void draw_digits(Engine& engine, PartSets const (&parts)[4], unsigned step, unsigned (&masks)[4]) {
    using Long = unsigned long long;
    constexpr unsigned bits = bits_of_words<Engine>();
    constexpr Long max_product = max_masks(half) * max_masks(half) * max_masks(half) * max_masks(half);
    unsigned high = engine();
    unsigned low = engine();
    Long fraction = take_digits<bits>(high, low, parts, step, masks);
    if (static_cast<unsigned>(fraction >> bits) > static_cast<unsigned>(max_product >> bits))
        return;
    Long const numbers = static_cast<Long>(parts[0].sets) * parts[1].sets * parts[2].sets * parts[3].sets;
    if (fraction >= numbers)
        return;
    Long const rejected = remainder_of_numbers<2 * bits>(numbers);
    while (fraction < rejected) {
        high = engine();
        low = engine();
        fraction = take_digits<bits>(high, low, parts, step, masks);
    }
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
