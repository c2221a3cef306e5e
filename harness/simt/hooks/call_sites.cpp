#include "harness/simt/hooks/call_sites.hpp"

namespace lockstep::simt::hooks {

std::uint32_t CallSites::Numbers::find(std::vector<Node>& nodes, std::uint64_t key, std::uint32_t outer,
                                       std::uintptr_t address) {
    auto const [begin, end] = all_.equal_range(key);
    for (auto found = begin; found != end; ++found) {
        Node const& node = nodes[found->second];
        if (node.address == address && node.outer == outer) {
            return found->second;
        }
    }
    auto const number = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({outer, address});
    all_.emplace(key, number);
    return number;
}

unsigned CallSites::depth(Site site) const {
    unsigned depth = 0;
    for (Stack stack = sites_[site].outer; stack != 0; stack = stacks_[stack].outer) {
        ++depth;
    }
    return depth;
}

Place const& CallSites::place(Site site) const {
    Place const* place = &locate(sites_[site].address);
    for (Stack stack = sites_[site].outer; stack != 0 && !is_in_kernel(*place); stack = stacks_[stack].outer) {
        Place const& caller = locate(stacks_[stack].address);
        if (is_in_kernel(caller)) {
            place = &caller;
        }
    }
    return *place;
}

void CallSites::locate_all() const {
    std::vector<std::uintptr_t> addresses;
    for (Node const& node : stacks_) {
        addresses.push_back(node.address);
    }
    for (Node const& node : sites_) {
        addresses.push_back(node.address);
    }
    locate_at_once(addresses);
}

}  // namespace lockstep::simt::hooks
