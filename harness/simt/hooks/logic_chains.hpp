#pragma once
// Logical operations that nvcc joins. A GPU's LOP3 has three inputs, so `a ^ b ^ c` and `(a & b) | c` are one
// instruction: an operation on the result of another one costs nothing. Found by compiling kernels for sm_90
// (CUDA 13).

#include <set>
#include <string>

#include "harness/simt/hooks/listing.hpp"

namespace lockstep::simt::hooks {

class LogicChains {
public:
    // Call it for each instruction of a basic block, in the order of the listing. Returns whether the instruction is
    // joined to an earlier one.
    bool joins(Instruction const& instruction);
    // The instruction is no part of a chain, whatever it does.
    void interrupt(Instruction const& instruction);
    void end_block() { results_.clear(); }

private:
    std::set<std::string> results_;  // the locations with results of operations that can take one more input
};

}  // namespace lockstep::simt::hooks
