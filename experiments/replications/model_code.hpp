#pragma once
// Turns a model file into the texts that are compiled at run time: kernels for the GPU and the emulator, and a loop for
// the CPU.

#include <string>

#include "common/replications/model_file/model_file.hpp"
#include "harness/jit/context.hpp"
#include "harness/jit/kernel_text.hpp"
#include "harness/jit/user_errors.hpp"

namespace lockstep::replications::model_file {

// The kernels `run` and `record` of model_lanes.hpp.
jit::KernelText lane_text(ModelFile const& file);
// The kernels `run_in_warps` and `run_in_blocks` of model_team.hpp. Precondition: file.composes.
jit::KernelText team_text(ModelFile const& file);
// The function lockstep_run(Arguments const*, index, recording).
std::string cpu_text(ModelFile const& file);

jit::KernelContext const& kernel_context();

// For messages of compilers and machines.
jit::UserFile user_file(ModelFile const& file);

}  // namespace lockstep::replications::model_file
