// Variant `auto`: the variant that should be the fastest for the board, its sites, the engine and the streams
// (common/random_grids/choice.hpp). Its results are those of that variant.

#include "common/random_grids/choice.hpp"
#include "harness/bench/choosing_variant.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

void add_auto(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::choosing_variant(
        experiment, bench::Machine::LOCKSTEP_MACHINE, "auto", bench::Role::ours,
        "the exact variant that should be the fastest for the board, its sites, the engine and the streams",
        [](bench::Axes const& axes) {
            return fastest_variants(read_workload(axes), static_cast<std::uint64_t>(axes.integer("streams")));
        }));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
