#pragma once
// Numbers for instructions, each with the calls that led to it, so that a record of an access needs 32 bits, and an
// access in a function of the emulator's headers that is not inlined is named by the kernel's line that calls it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "harness/simt/hooks/symbols.hpp"

namespace lockstep::simt::hooks {

class CallSites {
public:
    using Stack = std::uint32_t;  // the calls that a lane is in; 0: none
    using Site = std::uint32_t;   // an instruction within them

    Stack enter(Stack stack, std::uintptr_t return_address) { return entered_.number(stacks_, stack, return_address); }
    Stack leave(Stack stack) const { return stacks_[stack].outer; }
    Site site(Stack stack, std::uintptr_t return_address) { return known_.number(sites_, stack, return_address); }

    // Another instruction within the same calls.
    Site beside(Site site, std::uintptr_t return_address) { return this->site(sites_[site].outer, return_address); }

    Stack stack(Site site) const { return sites_[site].outer; }
    std::uintptr_t address(Site site) const { return sites_[site].address; }
    // Number of calls that it is in.
    unsigned depth(Site site) const;
    // The innermost line outside the emulator's headers.
    Place const& place(Site site) const;
    // Looks up the places of all sites at once, which is faster.
    void locate_all() const;

private:
    struct Node {
        std::uint32_t outer = 0;  // number of the calls around it
        std::uintptr_t address = 0;
    };
    // Numbers the pairs (outer, address), with a table of the latest ones before the map.
    class Numbers {
    public:
        std::uint32_t number(std::vector<Node>& nodes, std::uint32_t outer, std::uintptr_t address) {
            std::uint64_t const key = address * 0x9E3779B97F4A7C15u ^ (std::uint64_t{outer} * 0xC2B2AE3D27D4EB4Fu);
            std::uint32_t& latest = latest_[key >> 54];
            Node const& node = nodes[latest];
            if (node.address == address && node.outer == outer) {
                return latest;
            }
            return latest = find(nodes, key, outer, address);
        }

    private:
        std::uint32_t find(std::vector<Node>& nodes, std::uint64_t key, std::uint32_t outer, std::uintptr_t address);

        std::array<std::uint32_t, 1024> latest_{};
        std::unordered_multimap<std::uint64_t, std::uint32_t> all_;
    };

    std::vector<Node> stacks_{Node{}};
    std::vector<Node> sites_{Node{}};
    Numbers entered_;
    Numbers known_;
};

}  // namespace lockstep::simt::hooks
