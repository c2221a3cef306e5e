#pragma once
// The engine of `--machine auto`: generated C++ on the CPU's cores against `fast` on a device.

#include "kernels/term_rewriting/race/racing_engine.hpp"

namespace lockstep::term_rewriting {

// The CPU engine is make_cpu_engine() on all cores but a few: one, and one more per eight cores.
std::unique_ptr<Engine> make_auto_engine(System const& system, simt::Machine device, RaceOptions const& options = {});

}  // namespace lockstep::term_rewriting
