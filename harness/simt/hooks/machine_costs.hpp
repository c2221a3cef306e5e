#pragma once
// What a GPU needs for an instruction of the host: roughly its instructions, and branches to a slow path, which is
// never taken here. Counted in what nvcc 13 makes for sm_90, on the path of usual arguments.

#include <string_view>

#include "harness/simt/hooks/listing.hpp"

namespace lockstep::simt::hooks {

struct Cost {
    unsigned instructions = 1;
    unsigned branches = 0;
    unsigned table_loads = 0;  // of 16 bytes from a table in global memory
};

// Of an instruction that is no call. Copies, which are between registers on a GPU, cost nothing.
Cost cost_of(Instruction const& instruction);

// Of a call of a function of the C library. Another function is one instruction.
Cost cost_of_function(std::string_view name);

}  // namespace lockstep::simt::hooks
