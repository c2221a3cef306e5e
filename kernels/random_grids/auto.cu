// Variant `auto`: the variant that should be the fastest for the board, its sites, the engine and the streams
// (common/random_grids/choice.hpp). If it is repeated on a GPU, the first few are tried, and the fastest is kept. Its
// results are those of that variant, whose reference its row names.

#include "common/random_grids/choice.hpp"
#include "harness/bench/choosing_variant.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

void add_auto(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::choosing_variant(
        experiment, bench::Machine::LOCKSTEP_MACHINE, "auto", bench::Role::ours,
        "the exact variant that should be the fastest for the board, its sites, the engine and the streams; if "
        "repeated, the fastest of up to six that are tried",
        [](bench::Axes const& axes) {
            return fastest_variants(read_workload(axes), static_cast<std::uint64_t>(axes.integer("streams")));
        },
        {.candidates = trial_count, .max_run_seconds = 0.05}));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
