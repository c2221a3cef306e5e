// Variant `word` with one active lane per warp and 31 idle ones, so nothing diverges (slide "CUDA speed for single word
// sets": 32 times its speed is the speed of a warp without divergence).

#include "common/random_grids/grid_case.hpp"
#include "kernels/random_grids/word.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <class Engine, bool stored>
__global__ void __launch_bounds__(word_block)
    word_sets_one_lane(__grid_constant__ GridParameters const p, unsigned* const results) {
    unsigned long long const stream = global_thread() / warp_size;
    if (threadIdx.x % warp_size != 0 || stream >= p.streams)
        return;
    word_stream<unsigned, Engine, stored>(p, stream, results);
}

void add_word_one_lane(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "word_one_lane", bench::Role::paper, "halving",
        "word with one active lane per warp; 32 times its speed is word without divergence (slide: CUDA speed for "
        "single word "
        "sets)",
        [](Workload const& workload) {
            return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> GridKernel {
                return word_sets_one_lane<Engine, stored>;
            });
        },
        [](Workload const&) {
            return Mapping{32, 1, word_block, 0, Method::halving};
        },
        [](Workload const& workload) -> std::string {
            bool const fits = workload.shape.height == 1 && workload.shape.width <= 32;
            return fits ? "" : "it takes one row of at most 32 sites, such as 32x1";
        }));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
