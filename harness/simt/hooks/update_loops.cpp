#include "harness/simt/hooks/update_loops.hpp"

#include <set>

#include "harness/simt/hooks/warp_trace.hpp"

namespace lockstep::simt::hooks {
namespace {

// A compare-and-swap passes twice, for the word and for what replaces it, as an H200 counts.
constexpr unsigned passes_of_swap = 2;

}  // namespace

void UpdateLoop::add(UpdateLoop const& other) {
    loads.add(other.loads);
    swaps.add(other.swaps);
    branches.add(other.branches);
}

UpdateLoop update_loop(unsigned bytes, std::vector<std::pair<unsigned, std::uint64_t>> addresses) {
    UpdateLoop loop;
    while (!addresses.empty()) {
        loop.loads.add(cost_of(EventKind::shared_load, bytes, addresses));
        Requests swap = cost_of(EventKind::shared_atomic, bytes, addresses);
        swap.wavefronts *= passes_of_swap;
        swap.fewest_wavefronts *= passes_of_swap;
        loop.swaps.add(swap);
        std::set<std::uint64_t> updated;
        std::erase_if(addresses, [&](auto const& address) { return updated.insert(address.second).second; });
        loop.branches.add({1, addresses.empty() ? 0u : 1u});
    }
    return loop;
}

}  // namespace lockstep::simt::hooks
