#pragma once
// The basic blocks of which machine_model.hpp makes those of a GPU.

#include <set>
#include <vector>

#include "harness/simt/hooks/machine_model.hpp"

namespace lockstep::simt::hooks {

// What a side of a branch may cost, to be predicated: 7 instructions, or 13 accesses, or 5 of both.
constexpr unsigned max_predicated = 55;

// A basic block, and what has been joined to it: blocks that always follow it, and predicated sides of its branch.
struct Node {
    using Site = CallSites::Site;

    void set_code(BlockCode const& its_code);

    Executed executed{};
    BlockCode code{};
    unsigned depth = 0;  // number of calls that it is in
    unsigned size = 0;   // what it costs to predicate it
    bool has_calls = false;
    bool has_accesses = false;
    bool has_predicated_accesses = false;
    bool joined = false;   // to another one
    bool exits = false;    // its branch is an EXIT
    Site behind_side = 0;  // of a predicated side: the block where lanes meet again
    Site last = 0;         // the block that ends it
    std::set<Site> before{};
    std::set<Site> behind{};
    std::vector<Site> follows{};     // blocks of a row, each executed as often as this one
    std::vector<Site> predicated{};  // sides
    Tally const* tally = nullptr;    // of `last`; null if no lane executes it
    UnrolledBranches const* unrolled = nullptr;
};

// A switch with more than two cases, of which nvcc makes a tree of branches for sm_90 (CUDA 13). `cases`: how often
// some lanes took each. `times` and `divergent`: of the switch as a whole.
Branches branches_of_switch(std::vector<std::uint64_t> const& cases, std::uint64_t times, std::uint64_t divergent);

// By how much nvcc unrolls the loop that consists of the block at `address`; 1 if it is none.
unsigned unrolled_by(Node const& node, std::uintptr_t address);

}  // namespace lockstep::simt::hooks
