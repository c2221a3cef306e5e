// Threadwise with its arrays in shared memory (slide "From single word to larger grids").

#include "kernels/random_grids/threadwise_shared.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

namespace {

// A block has as many threads as fit into about 48 KB of shared memory, at least a warp: 128 for boards of at most 32
// words, else 32.
bool small(Workload const& workload) { return workload.shape.words() <= 32; }

Mapping shared_mapping(Workload const& workload) {
    return small(workload) ? Mapping{1, 1, 128, sizeof(SharedColumns<32, 128>), Method::halving}
                           : Mapping{1, 1, 32, sizeof(SharedColumns<128, 32>), Method::halving};
}

}  // namespace

void add_threadwise_shared(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "threadwise_shared", bench::Role::paper, "halving",
        "threadwise with its arrays in shared memory (slide: From single word to larger grids)",
        [](Workload const& workload) {
            return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> GridKernel {
                if (small(workload))
                    return threadwise_shared<32, 128, Engine, stored>;
                return threadwise_shared<128, 32, Engine, stored>;
            });
        },
        shared_mapping,
        [](Workload const& workload) -> std::string {
            return workload.shape.words() > 128
                       ? "its arrays hold at most 128 words, 12 bytes of shared memory per word"
                       : "";
        }));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
