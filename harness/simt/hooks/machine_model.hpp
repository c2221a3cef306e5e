#pragma once
// What a GPU would execute of the basic blocks, in the terms of its counters: a block weighs as much as it has
// instructions, and some of the host's branches are none.
//
// ptxas predicates the sides of a short branch: all lanes execute both sides, and those of the other side are off. For
// sm_90 (CUDA 13) that are sides of up to 8 instructions, if they have neither calls nor atomics; found by compiling
// kernels whose sides grow. A branch to the end of the kernel is a predicated EXIT. Code of the emulator's headers has
// no branches, because it stands for instructions of a GPU.

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
};

using CodeOfSites = std::map<CallSites::Site, BlockCode>;

// Of each basic block in `tallies`. A block that `code` lacks has one instruction.
std::map<CallSites::Site, Executed> as_on_a_gpu(Tallies const& tallies, CallSites const& sites,
                                                CodeOfSites const& code);

}  // namespace lockstep::simt::hooks
