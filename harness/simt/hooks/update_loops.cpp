#include "harness/simt/hooks/update_loops.hpp"

#include <set>

#include "harness/simt/hooks/wavefronts.hpp"

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

UpdateLoop update_loop(unsigned bytes, Addresses addresses) {
    UpdateLoop loop;
    unsigned const together = lanes_together(bytes);
    while (!addresses.empty()) {
        loop.loads.add(cost_of(EventKind::shared_load, bytes, addresses));
        Requests swap = cost_of(EventKind::shared_swap, bytes, addresses);
        std::set<unsigned> passed;
        std::set<std::pair<unsigned, unsigned>> banks;
        std::set<std::uint64_t> updated;
        std::erase_if(addresses, [&](auto const& one) {
            auto const& [lane, address] = one;
            passed.insert(lane / together);
            return banks.emplace(lane / together, bank_of(address)).second && updated.insert(address).second;
        });
        swap.wavefronts = swap.fewest_wavefronts = passes_of_swap * passed.size();
        loop.swaps.add(swap);
        loop.branches.add({1, addresses.empty() ? 0u : 1u});
    }
    return loop;
}

}  // namespace lockstep::simt::hooks
