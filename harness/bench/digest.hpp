#pragma once
// The digest of a case: the sum over its units of hash(unit, result), modulo 2^64. Sums commute, so digests of shards
// add up to the digest of the complete case. The host, the emulator and the GPU use the same 64-bit function.
//
//   hash = finish(next(... next(begin(unit), word 0) ..., word W-1), W)

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::bench {

// Results of `units` units of `words` 32-bit words each, stored so that word w of unit u (counted from 0) lies at (u /
// interleave) * interleave * words + w * interleave + u % interleave. Interleave 1 stores row after row. With
// interleave 32, the lanes of a warp that process one unit each store to consecutive addresses.
struct WordLayout {
    unsigned long long units = 0;
    unsigned words = 1;
    unsigned interleave = 1;
};

struct DigestParameters {
    WordLayout layout;
    unsigned long long first_unit = 0;  // the absolute number of unit 0
};

namespace LOCKSTEP_MACHINE {

__host__ __device__ inline unsigned long long word_index(WordLayout const& layout, unsigned long long unit,
                                                         unsigned word) {
    unsigned long long const group = unit / layout.interleave;
    unsigned long long const index = unit % layout.interleave;
    return group * layout.interleave * layout.words + static_cast<unsigned long long>(word) * layout.interleave + index;
}

// Number of words that a layout occupies; the last group of `interleave` units is padded.
__host__ __device__ inline unsigned long long words_stored(WordLayout const& layout) {
    return simt::round_up(layout.units, layout.interleave) * layout.words;
}

// The final mix of a 64-bit value: two rounds of multiply and fold; a bijection.
__host__ __device__ inline unsigned long long mix(unsigned long long value) {
    value = (value ^ (value >> 31)) * 0x9FB21C651E98DF25ull;
    value = (value ^ (value >> 29)) * 0xD6E8FEB86659FD93ull;
    return value ^ (value >> 32);
}

__host__ __device__ inline unsigned long long digest_begin(unsigned long long unit) {
    return mix(unit + 0x9E3779B97F4A7C15ull);
}

__host__ __device__ inline unsigned long long digest_next(unsigned long long hash, unsigned word) {
    hash = (hash ^ word) * 0xD1B54A32D192ED03ull;
    return hash ^ (hash >> 29);
}

__host__ __device__ inline unsigned long long digest_finish(unsigned long long hash, unsigned long long words) {
    return mix(hash + words);
}

// hash(unit, result) of one stored unit; `unit` counts from 0 within the layout.
__host__ __device__ inline unsigned long long stored_unit_digest(DigestParameters const& parameters,
                                                                 unsigned const* stored, unsigned long long unit) {
    unsigned long long hash = digest_begin(parameters.first_unit + unit);
    for (unsigned word = 0; word < parameters.layout.words; ++word) {
        hash = digest_next(hash, stored[word_index(parameters.layout, unit, word)]);
    }
    return digest_finish(hash, parameters.layout.words);
}

// Digest of all units of the layout. On the GPU and in the emulator `stored` is device memory of at least
// words_stored() words and the call blocks until the result is available.
unsigned long long stored_digest(DigestParameters const& parameters, unsigned const* stored);

}  // namespace LOCKSTEP_MACHINE

}  // namespace lockstep::bench
