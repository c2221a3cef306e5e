#pragma once
// A workload's input: large ones are made on the device.

#include "common/term_rewriting/workload.hpp"
#include "kernels/term_rewriting/as_printed/engine.hpp"

namespace lockstep::term_rewriting::as_printed {

std::unique_ptr<Input> input_of(System const& system, Workload const& workload);

}  // namespace lockstep::term_rewriting::as_printed
