#pragma once
// Philox4x32-R: the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1,
// 2, 3" (SC 2011). Four words are a function of a 128-bit counter and a 64-bit key; there is no other state, so any
// word of any stream can be computed directly. R = 10 is the usual choice; R = 7 is the smallest number of rounds that
// passes BigCrush.
//
// A stream is identified by (seed, unit, lane): the seed is the key, and the counter's words are (block, lane, low half
// of unit, high half of unit). Streams of one seed therefore never share a counter: they are disjoint by construction.
// The block number has 32 bits, so a stream has 2^34 words, after which it repeats. Its last 64 words seed the streams
// of the other engines (streams.hpp) and must not be drawn as random words.

#include "harness/simt/kernel.hpp"

namespace lockstep::random {

// Four 32-bit words: a counter, or Philox's output for it.
struct Words4 {
    unsigned x, y, z, w;
    __host__ __device__ friend constexpr bool operator==(Words4 const&, Words4 const&) = default;
};

}  // namespace lockstep::random

namespace lockstep::random::LOCKSTEP_MACHINE {

template <int Rounds>
class Philox4x32 {
public:
    using result_type = unsigned;
    // A number of words to skip. Taus88 precomputes polynomials for it; Philox needs no precomputation.
    using JumpAhead = unsigned long long;

    __host__ __device__ static constexpr JumpAhead jump_of(unsigned long long count) { return count; }
    __host__ __device__ static constexpr void jump_table(unsigned long long first, unsigned long long distance,
                                                         JumpAhead* jumps, unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            jumps[i] = first + i * distance;
        }
    }
    __host__ __device__ static constexpr result_type min() { return 0; }
    __host__ __device__ static constexpr result_type max() { return 0xffffffffu; }

    // The Philox function: the four output words for `counter` under the key (key_low, key_high).
    __host__ __device__ static constexpr Words4 at(Words4 counter, unsigned key_low, unsigned key_high) {
        for (int round = 0; round < Rounds; ++round) {
            Product const first = product(0xd2511f53u, counter.x);
            Product const second = product(0xcd9e8d57u, counter.z);
            counter = {second.high ^ counter.y ^ key_low, second.low, first.high ^ counter.w ^ key_high, first.low};
            key_low += 0x9e3779b9u;   // golden ratio
            key_high += 0xbb67ae85u;  // square root of 3, less 1
        }
        return counter;
    }

    // Words 4 * block to 4 * block + 3 of the stream (seed, unit, lane).
    __host__ __device__ static constexpr Words4 at(unsigned long long seed, unsigned long long unit, unsigned lane,
                                                   unsigned block) {
        return at(Words4{block, lane, low(unit), high(unit)}, low(seed), high(seed));
    }

    __host__ __device__ static constexpr Philox4x32 stream(unsigned long long seed, unsigned long long unit,
                                                           unsigned lane) {
        return Philox4x32(seed, unit, lane);
    }

    __host__ __device__ constexpr result_type operator()() {
        if (remaining_ == 0) {
            words_ = at(seed_, unit_, lane_, block_++);
            remaining_ = 4;
        }
        // Shifting the words keeps them in registers on a GPU; a run-time index would put them in local memory.
        unsigned const word = words_.x;
        words_ = {words_.y, words_.z, words_.w, 0};
        --remaining_;
        return word;
    }

    // Returns the next block of four words: the fastest way to read a stream on a GPU. Discards the rest of a block
    // that operator() has started.
    __host__ __device__ constexpr Words4 next4() {
        remaining_ = 0;
        return at(seed_, unit_, lane_, block_++);
    }

    // Skips `count` words in the time of one block.
    __host__ __device__ constexpr void discard(unsigned long long count) {
        unsigned long long const within = count < remaining_ ? count : remaining_;
        for (unsigned long long i = 0; i < within; ++i) {
            (*this)();
        }
        count -= within;
        block_ += low(count / 4);
        for (unsigned i = 0; i < count % 4; ++i) {
            (*this)();
        }
    }

private:
    struct Product {
        unsigned low, high;
    };
    // On a GPU, a 64-bit product becomes part of 64-bit expressions, which cost two additions more per round.
    __host__ __device__ static constexpr Product product(unsigned factor, unsigned word) {
#if defined(__CUDA_ARCH__)
        return {factor * word, __umulhi(factor, word)};
#else
        unsigned long long const whole = 1ull * factor * word;
        return {low(whole), high(whole)};
#endif
    }

    __host__ __device__ constexpr Philox4x32(unsigned long long seed, unsigned long long unit, unsigned lane)
        : seed_(seed), unit_(unit), lane_(lane) {}

    __host__ __device__ static constexpr unsigned low(unsigned long long value) {
        return static_cast<unsigned>(value & 0xffffffffu);
    }
    __host__ __device__ static constexpr unsigned high(unsigned long long value) {
        return static_cast<unsigned>(value >> 32);
    }

    unsigned long long seed_;
    unsigned long long unit_;
    unsigned lane_;
    unsigned block_ = 0;
    Words4 words_ = {0, 0, 0, 0};
    unsigned remaining_ = 0;
};

}  // namespace lockstep::random::LOCKSTEP_MACHINE
