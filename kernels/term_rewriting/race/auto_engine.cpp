#include "kernels/term_rewriting/race/auto_engine.hpp"

#include "harness/simt/devices.hpp"
#include "harness/threads/pool.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"

namespace lockstep::term_rewriting {

std::unique_ptr<Engine> make_auto_engine(System const& system, simt::Machine device, RaceOptions const& options) {
    // The thread that launches kernels, the one that watches the race and others of the system need cores. If all were
    // busy, these threads would wait for a time slice of the scheduler.
    auto const spare_cores = static_cast<unsigned>(1 + threads::allowed_cpu_count() / 8);
    auto const on_cpu = [&system, spare_cores] { return make_cpu_engine(system, spare_cores); };
    auto const on_device = [&system, device] { return fast::make_engine(system, device); };
    Racer second = {"fast on " + std::string(simt::to_string(device)), on_device};
    if (device == simt::Machine::cuda)
        second.opening = {[] { simt::cuda_device_count(); }, simt::open_device};
    RaceOptions of_system = options;
    of_system.lasting = &system.terms;
    return make_racing_engine({"cpu", on_cpu}, second, of_system);
}

}  // namespace lockstep::term_rewriting
