#pragma once
// Parameters of every kernel of random_grids, and the layout of its results (common/random_grids/workload.hpp defines
// what they mean).

#include "common/random_grids/fold.hpp"
#include "common/random_grids/mixed_occupied.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids {

struct GridParameters {
    unsigned long long seed = 0;
    unsigned long long first_unit = 0;  // streams of this launch are first_unit, first_unit + 1, ...
    unsigned long long streams = 0;
    unsigned length = 0;  // boards per stream
    unsigned height = 0;
    unsigned width = 0;
    unsigned words_per_row = 0;
    unsigned last_mask = 0;  // valid bits of a row's last word
    unsigned planes = 1;
    unsigned occupied[8] = {};  // sites of each plane
    unsigned mixed = 0;         // 1: each board has its own k, and occupied is unused
};

// Threadwise kernels interleave the results of 32 streams, so that a warp's stores fill whole cache lines
// (bench::WordLayout).
inline constexpr unsigned threadwise_interleave = 32;

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// Bits of a row's word that are sites.
__device__ inline unsigned word_mask(GridParameters const& p, unsigned column) {
    return column + 1 < p.words_per_row ? 0xFFFFFFFFu : p.last_mask;
}

// Number of sites in each set of a stream.
class Occupied {
public:
    __device__ Occupied(GridParameters const& p, unsigned long long unit)
        : mixed_base_(p.mixed != 0 ? mixed_base(p.seed, unit) : 0) {}

    __device__ unsigned operator()(GridParameters const& p, unsigned board, unsigned plane) const {
        return p.mixed != 0 ? mixed_occupied(mixed_base_, board, p.width * p.height) : p.occupied[plane];
    }

private:
    unsigned mixed_base_;
};

// Output of one thread, which puts its words in order. The primary template stores them `stride` words apart ...
template <bool stored>
class Sink {
public:
    __device__ Sink(unsigned* target, unsigned stride) : target_(target), stride_(stride) {}
    __device__ void put(unsigned word) {
        *target_ = word;
        target_ += stride_;
    }
    // Words in any order: puts the word that is `ahead` words after the next one, or passes over words.
    __device__ void put_at(unsigned ahead, unsigned word) { target_[ahead * stride_] = word; }
    __device__ void advance(unsigned words) { target_ += words * stride_; }
    __device__ void finish() {}

private:
    unsigned* target_;
    unsigned stride_;
};

// ... and the specialisation folds them into a checksum, which it writes at the end.
template <>
class Sink<false> {
public:
    __device__ Sink(unsigned* target, unsigned /*stride*/) : target_(target) {}
    __device__ void put(unsigned word) { sum_ = fold(sum_, word); }
    __device__ void finish() { *target_ = sum_; }

private:
    unsigned* target_;
    unsigned sum_ = 0;
};

// Sink of a thread that draws a whole stream, with `words` words per unit.
template <bool stored>
__device__ inline Sink<stored> threadwise_sink(unsigned* results, unsigned long long stream, unsigned words) {
    unsigned long long const group = stream / threadwise_interleave;
    unsigned long long const index = stream % threadwise_interleave;
    return Sink<stored>(results + group * threadwise_interleave * words + index, threadwise_interleave);
}

__device__ inline unsigned words_of_stream(GridParameters const& p, bool stored) {
    return stored ? p.length * p.planes * p.height * p.words_per_row : 1;
}

// Index of the thread in the launch: its stream if each thread draws one.
__device__ inline unsigned long long global_thread() {
    return static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// Draws `count` words in order. If an engine produces four words per call and `count` is a multiple of four, calls that
// function; the words are the same.
template <unsigned count, class Engine>
__device__ inline void draw_words(Engine& engine, unsigned (&words)[count]) {
    if constexpr (count % 4 == 0 && requires { engine.next4(); }) {
#pragma unroll
        for (unsigned i = 0; i < count; i += 4) {
            auto const four = engine.next4();
            words[i] = four.x;
            words[i + 1] = four.y;
            words[i + 2] = four.z;
            words[i + 3] = four.w;
        }
    } else {
#pragma unroll
        for (unsigned i = 0; i < count; ++i)
            words[i] = engine();
    }
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
