#pragma once
// Threadwise with the three arrays in shared memory, one column per thread, so that a warp's accesses hit 32 different
// banks (slide "From single word to larger grids", "Shared memory: slower than registers and limited in size"). Few
// threads fit: 12 bytes per word and thread.

#include "kernels/random_grids/threadwise_steps.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <unsigned capacity, unsigned threads>
struct SharedColumns {
    SharedArray<unsigned, capacity * threads> subset;
    SharedArray<unsigned, capacity * threads> candidates;
    SharedArray<unsigned, capacity * threads> selected;
};

template <unsigned capacity, unsigned threads>
class SharedSets {
public:
    __device__ SharedSets(GridParameters const& p, SharedColumns<capacity, threads>& columns)
        : columns_(columns),
          end_(p.height * p.words_per_row * threads),
          words_per_row_(p.words_per_row),
          last_mask_(p.last_mask) {}

    __device__ void among_board() {
        unsigned column = 0;
        for (unsigned i = threadIdx.x; i < end_; i += threads) {
            column = column + 1 < words_per_row_ ? column + 1 : 0;
            columns_.candidates[i] = column != 0 ? 0xFFFFFFFFu : last_mask_;
            columns_.subset[i] = 0u;
        }
    }

    __device__ void among_subset() {
        for (unsigned i = threadIdx.x; i < end_; i += threads) {
            unsigned const word = columns_.subset[i];
            columns_.candidates[i] = word;
            columns_.subset[i] = 0u;
        }
    }

    template <class Engine>
    __device__ unsigned select(Engine& engine) {
        unsigned count = 0;
        for (unsigned i = threadIdx.x; i < end_; i += threads) {
            unsigned const candidates = columns_.candidates[i];
            unsigned const word = engine() & candidates;
            columns_.selected[i] = word;
            count += static_cast<unsigned>(__popc(word));
        }
        return count;
    }

    __device__ void include() {
        for (unsigned i = threadIdx.x; i < end_; i += threads) {
            unsigned const word = columns_.selected[i];
            columns_.subset[i] |= word;
            columns_.candidates[i] &= ~word;
        }
    }

    __device__ void exclude() {
        for (unsigned i = threadIdx.x; i < end_; i += threads) {
            unsigned const word = columns_.selected[i];
            columns_.candidates[i] = word;
        }
    }

    template <bool stored>
    __device__ void put(Sink<stored>& sink) const {
        for (unsigned i = threadIdx.x; i < end_; i += threads) {
            unsigned const word = columns_.subset[i];
            sink.put(word);
        }
    }

private:
    SharedColumns<capacity, threads>& columns_;
    unsigned end_;
    unsigned words_per_row_;
    unsigned last_mask_;
};

template <unsigned capacity, unsigned threads, class Engine, bool stored>
__global__ void __launch_bounds__(threads)
    threadwise_shared(__grid_constant__ GridParameters const p, unsigned* const results) {
    auto& columns = shared_memory<SharedColumns<capacity, threads>>();
    unsigned long long const stream = global_thread();
    if (stream >= p.streams)
        return;
    SharedSets<capacity, threads> sets(p, columns);
    threadwise_stream<Engine, stored>(p, stream, results, sets);
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
