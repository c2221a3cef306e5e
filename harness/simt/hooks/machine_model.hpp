#pragma once
// What a GPU would execute of the basic blocks, in the terms of its counters: a block weighs as much as it has
// instructions, and some of the host's branches are none.
//
// ptxas predicates the sides of a short branch: all lanes execute both sides, and those of the other side are off. How
// long the sides may be was found by compiling kernels with growing sides for sm_90 (CUDA 13): 7 instructions, or 13
// accesses, or 5 of both, without what only computes addresses, calls, atomics and branches of divisions. A branch to
// the end of the kernel is a predicated EXIT; what follows it is not predicated, and a side with the condition of
// the EXIT comes after it. Of the sides that remain and lead to the same block, all but the last jump. A side with an
// access that is predicated itself is a branch. The conditions of `a && b` and `a || b` are one branch if nothing else
// happens between them; so are more conditions before a side without accesses. Loops of one block that count are
// unrolled by 4 if they have up to 28 instructions, and by 2 up to 44 (loop_rounds.hpp). Code of the emulator's headers
// has no branches, because it stands for instructions of a GPU.

#include <cstdint>
#include <map>

#include "harness/simt/hooks/call_sites.hpp"
#include "harness/simt/hooks/machine_code.hpp"
#include "harness/simt/hooks/warp_trace.hpp"

namespace lockstep::simt::hooks {

// A basic block as a GPU executes it.
struct Executed {
    unsigned instructions = 1;
    std::uint64_t warps = 0;  // with predicated executions, in which all lanes may be off
    std::uint64_t lanes = 0;
    bool branches = false;
    std::uint64_t times = 0;  // executions of the branch, and those that part lanes
    std::uint64_t divergent = 0;
    bool jumps = false;        // at its end, to where others lead, too
    unsigned table_loads = 0;  // of each lane
    unsigned slow_paths = 0;   // further branches, which all lanes take together
    CallSites::Site row = 0;   // the first of the blocks that are one on a GPU
    bool is_one_load = false;  // with at most one more instruction
};

// By the return addresses that begin the blocks.
using CodeOfBlocks = std::map<std::uintptr_t, BlockCode>;

// Of each basic block in `tallies`, and of those that no lane executes and that can follow them; `sites` gets their
// numbers. A block that `code` lacks has one instruction.
std::map<CallSites::Site, Executed> as_on_a_gpu(Tallies const& tallies, CallSites& sites, CodeOfBlocks const& code);

}  // namespace lockstep::simt::hooks
