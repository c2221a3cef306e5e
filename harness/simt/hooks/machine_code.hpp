#pragma once
// How many instructions a basic block has, from the listing that objdump prints. A GPU's counters of lanes are means
// over instructions, so a block weighs as much as it has of them. Without objdump each block has one.

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace lockstep::simt::hooks {

struct BlockCode {
    // Roughly those that a GPU needs. The instrumentation does not count, and what a header of the emulator does in
    // place of a GPU's instruction counts as one.
    unsigned instructions = 1;
    unsigned table_loads = 0;  // of functions, as in machine_costs.hpp
    unsigned slow_paths = 0;   // branches of divisions and functions to what is never executed here
    bool has_calls = false;    // or atomics
    unsigned accesses = 0;     // of memory
    bool has_stores = false;
    unsigned moves = 0;                    // instructions that only load or store
    unsigned addressing = 0;               // instructions that only compute addresses, as in addressing.hpp
    bool is_intrinsic = false;             // of a header that stands for a GPU's instructions
    bool branches_in_a_header = false;     // its branch is none of the kernel's
    bool counts_by_constant = false;       // its branch is about that (loop_rounds.hpp)
    std::vector<std::uintptr_t> behind{};  // the blocks that may follow in its function, as in control_flow.hpp
};

// By the return address of the call of __sanitizer_cov_trace_pc that begins the block. `listing` is the output of
// objdump -d -l --no-show-raw-insn.
std::map<std::uintptr_t, BlockCode> blocks_of(std::string_view listing);

// The code of the blocks with these return addresses, and of blocks near them. A block whose code is not found is left
// out.
std::map<std::uintptr_t, BlockCode> look_up_code(std::vector<std::uintptr_t> const& return_addresses);

}  // namespace lockstep::simt::hooks
