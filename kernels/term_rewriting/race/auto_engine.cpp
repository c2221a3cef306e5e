#include "kernels/term_rewriting/race/auto_engine.hpp"

#include "kernels/term_rewriting/fast/engine.hpp"

namespace lockstep::term_rewriting {

std::unique_ptr<Engine> make_auto_engine(System const& system, simt::Machine device, RaceOptions const& options) {
    auto const on_cpu = [&system] { return make_engine(system, "auto", "cpu"); };
    auto const on_device = [&system, device] { return fast::make_engine(system, device); };
    return make_racing_engine({"cpu", on_cpu}, {"fast on " + std::string(simt::to_string(device)), on_device}, options);
}

}  // namespace lockstep::term_rewriting
