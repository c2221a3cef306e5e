#pragma once
// Threadwise with all arrays in registers: the size is a template parameter, so every index is known at compile time
// (slide "Threadwise CUDA code"). From about 70 words on, the three arrays no longer fit into 255 registers and spill
// to local memory, which the slide "Storage problem" says "does not work at all"; these sizes are compiled to show by
// how much.

#include "common/random_grids/after.hpp"
#include "kernels/random_grids/threadwise_steps.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <unsigned rows, unsigned columns, class Work>
class RegisterSets {
public:
    __device__ explicit RegisterSets(unsigned last_mask) : last_mask_(last_mask) {}

    __device__ void among_board() {
#pragma unroll
        for (unsigned i = 0; i < words; ++i) {
            candidates_[i] = i % columns + 1 < columns ? 0xFFFFFFFFu : last_mask_;
            subset_[i] = 0;
        }
    }

    __device__ void among_subset() {
#pragma unroll
        for (unsigned i = 0; i < words; ++i) {
            candidates_[i] = subset_[i];
            subset_[i] = 0;
        }
    }

    template <class Engine>
    __device__ unsigned select(Engine& engine) {
        unsigned count = 0;
        draw_words(engine, selected_);
#pragma unroll
        for (unsigned i = 0; i < words; ++i) {
            selected_[i] &= candidates_[i];
            count += static_cast<unsigned>(__popc(selected_[i]));
        }
        return count;
    }

    __device__ void include() {
#pragma unroll
        for (unsigned i = 0; i < words; ++i) {
            subset_[i] |= selected_[i];
            candidates_[i] &= ~selected_[i];
        }
    }

    __device__ void exclude() {
#pragma unroll
        for (unsigned i = 0; i < words; ++i)
            candidates_[i] = selected_[i];
    }

    // Boards that are worked on have one colour, so the set itself is not needed any more.
    template <bool stored>
    __device__ void put(Sink<stored>& sink) {
        Work::in_thread(subset_, last_mask_);
#pragma unroll
        for (unsigned i = 0; i < words; ++i)
            sink.put(subset_[i]);
    }

private:
    static constexpr unsigned words = rows * columns;
    unsigned subset_[words];
    unsigned candidates_[words];
    unsigned selected_[words];
    unsigned last_mask_;
};

// Threads per block; the slides do not give the number. With 256, each thread can have 255 registers, and an H200 is
// slightly faster than with 128.
inline constexpr unsigned threadwise_block = 256;

template <unsigned rows, unsigned columns, class Engine, bool stored, class Work = NoWork>
__global__ void __launch_bounds__(threadwise_block)
    threadwise(__grid_constant__ GridParameters const p, unsigned* const results) {
    unsigned long long const stream = global_thread();
    if (stream >= p.streams)
        return;
    RegisterSets<rows, columns, Work> sets(p.last_mask);
    threadwise_stream<Engine, stored>(p, stream, results, sets);
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
