#pragma once
// Where basic blocks lead to, also those that no lane has executed: a GPU executes a branch whether or not its other
// side is ever taken.

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace lockstep::simt::hooks {

// Of each block in the listing of objdump -d --no-show-raw-insn, the blocks that may follow it in its function. Blocks
// are named by the return address of the call of __sanitizer_cov_trace_pc that begins them. Known for x86-64.
std::map<std::uintptr_t, std::vector<std::uintptr_t>> successors_in(std::string_view listing);

}  // namespace lockstep::simt::hooks
