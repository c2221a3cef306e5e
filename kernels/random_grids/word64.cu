// Sets of 33 to 64 bits, one thread per stream (slide "Straightforward CUDA implementation": "also works for 64 bit
// sets").

#include "kernels/random_grids/word.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

void add_word64(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "word64", bench::Role::paper, "halving",
        "one 64-bit word per set, one thread per stream (slide: Straightforward CUDA implementation)",
        [](Workload const& workload) {
            return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> GridKernel {
                return word_sets<unsigned long long, Engine, stored>;
            });
        },
        [](Workload const&) {
            return Mapping{1, 1, word_block, 0, Method::halving};
        },
        [](Workload const& workload) -> std::string {
            bool const fits = workload.shape.height == 1 && workload.shape.words_per_row() == 2;
            return fits ? "" : "it takes one row of 33 to 64 sites, such as 64x1";
        }));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
