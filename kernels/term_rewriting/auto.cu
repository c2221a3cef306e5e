// `--machine auto` on the workloads of the experiment: the CPU's cores and the engine `fast` at the same time, the
// first to finish wins. The same input lies ready for both when the time begins; the time ends with the winner's. What
// the loser then takes to stop falls on nobody's time: the next sample begins after that.

#include "kernels/term_rewriting/engine_variant.hpp"
#include "kernels/term_rewriting/race/auto_engine.hpp"

namespace lockstep::term_rewriting::LOCKSTEP_MACHINE {

void add_auto(bench::Experiment& experiment) {
    experiment.variants.push_back(engine_variant(
        "auto", bench::Role::ours, "all cores but one and fast at the same time, the first to finish wins",
        [](bench::Problem const& problem) {
            RaceOptions options;
            options.alone = 0;  // the device is open and its kernels are compiled before a time begins
            Limits limits;
            limits.memory = std::uint64_t{machine == simt::Machine::emulator ? 1 : 60} << 30;
            auto const make = [&](System const& system) { return make_auto_engine(system, machine, options); };
            return make_engine_case(make, limits, problem);
        }));
}

}  // namespace lockstep::term_rewriting::LOCKSTEP_MACHINE
