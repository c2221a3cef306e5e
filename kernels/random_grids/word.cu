// Sets of up to 32 bits, one thread per stream (slide "CPU/CUDA implementation").

#include "kernels/random_grids/word.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

void add_word(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "word", bench::Role::paper, "halving",
        "one 32-bit word per set, one thread per stream (slide: CPU/CUDA implementation)",
        [](Workload const& workload) {
            return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> GridKernel {
                return word_sets<unsigned, Engine, stored>;
            });
        },
        [](Workload const&) {
            return Mapping{1, 1, word_block, 0, Method::halving};
        },
        [](Workload const& workload) -> std::string {
            bool const fits = workload.shape.height == 1 && workload.shape.width <= 32;
            return fits ? "" : "it takes one row of at most 32 sites, such as 32x1";
        }));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
