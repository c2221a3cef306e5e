#include "kernels/term_rewriting/race/auto_engine.hpp"

#include "kernels/term_rewriting/fast/engine.hpp"

namespace lockstep::term_rewriting {

std::unique_ptr<Engine> make_auto_engine(System const& system, simt::Machine device, RaceOptions const& options) {
    // One core is for the thread that launches kernels. Where all cores are busy, a new thread waits for milliseconds.
    auto const on_cpu = [&system] { return make_cpu_engine(system, 1); };
    auto const on_device = [&system, device] { return fast::make_engine(system, device); };
    return make_racing_engine({"cpu", on_cpu}, {"fast on " + std::string(simt::to_string(device)), on_device}, options);
}

}  // namespace lockstep::term_rewriting
