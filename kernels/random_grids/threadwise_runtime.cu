// Threadwise with a number of rows that is known only at run time, so the compiler places the three arrays in local
// memory (slide "From single word to larger grids", "Registers"). Any board of at most 512 words.

#include "kernels/random_grids/threadwise_steps.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <unsigned capacity>
class LocalSets {
public:
    __device__ explicit LocalSets(GridParameters const& p)
        : words_(p.height * p.words_per_row), columns_(p.words_per_row), last_mask_(p.last_mask) {}

    __device__ void among_board() {
#pragma unroll 1
        for (unsigned i = 0; i < words_; ++i) {
            candidates_[i] = i % columns_ + 1 < columns_ ? 0xFFFFFFFFu : last_mask_;
            subset_[i] = 0;
        }
    }

    __device__ void among_subset() {
#pragma unroll 1
        for (unsigned i = 0; i < words_; ++i) {
            candidates_[i] = subset_[i];
            subset_[i] = 0;
        }
    }

    template <class Engine>
    __device__ unsigned select(Engine& engine) {
        unsigned count = 0;
        for (unsigned i = 0; i < words_; ++i) {
            unsigned const word = engine() & candidates_[i];
            selected_[i] = word;
            count += static_cast<unsigned>(__popc(word));
        }
        return count;
    }

    __device__ void include() {
        for (unsigned i = 0; i < words_; ++i) {
            subset_[i] |= selected_[i];
            candidates_[i] &= ~selected_[i];
        }
    }

    __device__ void exclude() {
        for (unsigned i = 0; i < words_; ++i)
            candidates_[i] = selected_[i];
    }

    template <bool stored>
    __device__ void put(Sink<stored>& sink) const {
#pragma unroll 1
        for (unsigned i = 0; i < words_; ++i)
            sink.put(subset_[i]);
    }

private:
    unsigned words_;
    unsigned columns_;
    unsigned last_mask_;
    unsigned subset_[capacity];
    unsigned candidates_[capacity];
    unsigned selected_[capacity];
};

template <unsigned capacity, class Engine, bool stored>
__global__ void __launch_bounds__(128)
    threadwise_runtime(__grid_constant__ GridParameters const p, unsigned* const results) {
    unsigned long long const stream = global_thread();
    if (stream >= p.streams)
        return;
    LocalSets<capacity> sets(p);
    threadwise_stream<Engine, stored>(p, stream, results, sets);
}

void add_threadwise_runtime(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "threadwise_runtime", bench::Role::paper, "halving",
        "threadwise with a run-time number of rows, so its arrays are in local memory (slide: From single word to "
        "larger grids)",
        [](Workload const& workload) {
            return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> GridKernel {
                if (workload.shape.words() <= 32)
                    return threadwise_runtime<32, Engine, stored>;
                return threadwise_runtime<512, Engine, stored>;
            });
        },
        [](Workload const&) {
            return Mapping{1, 1, 128, 0, Method::halving};
        },
        at_most_512_words));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
