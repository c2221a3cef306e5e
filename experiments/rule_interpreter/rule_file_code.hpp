#pragma once
// Turns a rule file into the texts that are compiled at run time: a kernel for the GPU and the emulator, and plain
// loops for the CPU.

#include <string>

#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "harness/jit/context.hpp"
#include "harness/jit/kernel_text.hpp"
#include "harness/jit/user_errors.hpp"

namespace lockstep::rule_interpreter::rule_file {

// All but the machine's own part. `program` is a template over the table of columns and the rules.
std::string common_text(RuleFile const& file, char const* program, bool all_deferred);

// The kernels `run`, `initialise` and `digest`.
jit::KernelText kernel_text(RuleFile const& file);
// The kernels `apply` and `commit` of rule_file_grid.hpp, apart because few jobs need them.
jit::KernelText grid_kernel_text(RuleFile const& file);
jit::KernelContext const& kernel_context();

// `loops`: for all cores. `sequential`: the specification, in which every column is a deferred one and every index is
// checked.
enum class CpuCode { loops, sequential };
std::string cpu_text(RuleFile const& file, CpuCode code);

// For messages of compilers and machines: about rules, and about initial values.
jit::UserFile user_file(std::string const& path);
jit::UserFile initial_values_of(std::string const& path);

}  // namespace lockstep::rule_interpreter::rule_file
