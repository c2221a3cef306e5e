#pragma once
// The order in which lanes of a warp wait for each other after a branch. The compiler for the host places blocks by
// what it takes for likely, so the side of a branch may come behind the loop that it is in, and lanes that wait by
// address would meet at the end of the loop only. On a GPU they meet where the sides of the branch do.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "harness/simt/hooks/call_sites.hpp"

namespace lockstep::simt::hooks {

// Basic blocks, and those that may follow each (control_flow.hpp).
using BlockGraph = std::map<std::uintptr_t, std::vector<std::uintptr_t>>;

// All blocks: each after those that lead to it, but for the way back to the beginning of a loop, and after a loop only
// what follows it. Otherwise by address.
std::vector<std::uintptr_t> in_order(BlockGraph const& graph);

class BlockOrder {
public:
    // Whether lanes at `b` wait for those at `a`: in deeper calls, or earlier in the order.
    bool is_before(CallSites::Site a, CallSites::Site b, CallSites const& sites);

private:
    struct Position {
        unsigned depth = 0;
        std::uintptr_t block = 0;  // the address that it would have if the blocks were in order; 0: not looked up
        std::uintptr_t behind = 0;
    };
    Position const& position(CallSites::Site site, CallSites const& sites);
    // Finds the order of the blocks around the address, once.
    void read_around(std::uintptr_t address);

    std::vector<Position> positions_;                                // by site
    std::map<std::uintptr_t, std::uintptr_t> placed_;                // blocks
    std::vector<std::pair<std::uintptr_t, std::uintptr_t>> read_{};  // addresses
};

}  // namespace lockstep::simt::hooks
