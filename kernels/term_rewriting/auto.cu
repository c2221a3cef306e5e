// `--machine auto` on the workloads of the experiment: the CPU's cores and the engine `fast` at the same time, the
// first to finish wins. The same input lies ready for both when the time begins; the time ends with the winner's. What
// the loser then takes to stop falls on nobody's time: the next sample begins after that.

#include "common/term_rewriting/workload.hpp"
#include "harness/simt/launch.hpp"
#include "kernels/term_rewriting/race/auto_engine.hpp"

namespace lockstep::term_rewriting::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

void add_auto(bench::Experiment& experiment);

void add_auto(bench::Experiment& experiment) {
    constexpr bool emulated = machine == simt::Machine::emulator;
    bench::Variant variant;
    variant.name = "auto";
    variant.role = bench::Role::ours;
    variant.machine = machine;
    variant.reference = "oracle";
    variant.description = "all cores but one and fast at the same time, the first to finish wins";
    variant.make = [](bench::Problem const& problem) {
        RaceOptions options;
        options.alone = 0;  // the device is open and its kernels are compiled before a time begins
        Limits limits;
        limits.memory = std::uint64_t{emulated ? 1 : 60} << 30;
        auto const make = [&](System const& system) { return make_auto_engine(system, machine, options); };
        return make_engine_case(make, limits, problem);
    };
    if (emulated) {
        variant.unsupported_reason = [](bench::Axes const& axes) {
            bool const large = axes.integer("depth") > 8 || axes.integer("elements") > 60;
            return large ? std::string("the emulator takes turns with every lane: at most depth 8, 60 elements")
                         : std::string();
        };
    }
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::term_rewriting::LOCKSTEP_MACHINE
