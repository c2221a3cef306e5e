#include "kernels/term_rewriting/race/auto_engine.hpp"

#include <thread>

#include "baselines/term_rewriting/compiled/compiled_engine.hpp"
#include "harness/bench/error.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"

namespace lockstep::term_rewriting {

namespace {

// One core is for the thread that launches kernels: where all of them are busy a new thread waits for milliseconds.
std::unique_ptr<Engine> make_cpu_engine(System const& system) {
    unsigned const cores = std::thread::hardware_concurrency();
    try {
        return make_compiled_engine(system, cores > 2 ? cores - 1 : 0);
    } catch (bench::Error const&) {
        return make_engine(system, "auto", "cpu");
    }
}

}  // namespace

std::unique_ptr<Engine> make_auto_engine(System const& system, simt::Machine device, RaceOptions const& options) {
    auto const on_cpu = [&system] { return make_cpu_engine(system); };
    auto const on_device = [&system, device] { return fast::make_engine(system, device); };
    return make_racing_engine({"cpu", on_cpu}, {"fast on " + std::string(simt::to_string(device)), on_device}, options);
}

}  // namespace lockstep::term_rewriting
