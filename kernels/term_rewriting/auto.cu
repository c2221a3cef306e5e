// `--machine auto` on the workloads of the experiment: one CPU core, most cores and the engine `fast` (in the emulator
// `fast_plain`) run at the same time, and the first to finish wins. All hold the same input before timing starts,
// and timing stops when the winner has finished. The time that the loser takes to stop is not counted: the next sample
// starts after it.

#include <vector>

#include "kernels/term_rewriting/engine_variant.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"
#include "kernels/term_rewriting/race/auto_engine.hpp"

namespace lockstep::term_rewriting::LOCKSTEP_MACHINE {

void add_auto(bench::Experiment& experiment) {
    auto const make_case = [](bench::Problem const& problem) {
        RaceOptions options;
        options.alone = 0;  // the device is open and its kernels are compiled before timing starts
        Limits limits;
        limits.memory = std::uint64_t{machine == simt::Machine::emulator ? 1 : 60} << 30;
        auto const make = [&](System const& system) { return make_auto_engine(system, machine, options); };
        return make_engine_case(make, limits, problem);
    };
    experiment.variants.push_back(engine_variant(
        "auto", bench::Role::ours, "one core, most cores and fast run at the same time, the first to finish wins",
        make_case, [](System const& system) { return std::vector{fast::engine_text(system, machine)}; }));
}

}  // namespace lockstep::term_rewriting::LOCKSTEP_MACHINE
