#include "harness/simt/hooks/wavefronts.hpp"

#include <algorithm>
#include <array>

namespace lockstep::simt::hooks {
namespace {

// Whether lanes i and i ^ distance, where both are active, have the same address.
bool are_pairs(unsigned distance, Addresses const& addresses) {
    return std::all_of(addresses.begin(), addresses.end(), [&](auto const& one) {
        auto const other = std::find_if(addresses.begin(), addresses.end(), [&](auto const& candidate) {
            return candidate.first == (one.first ^ distance);
        });
        return other == addresses.end() || other->second == one.second;
    });
}

// Passes for the lanes first to last - 1: the most distinct words of any bank, or the most lanes.
std::uint64_t passes(unsigned first, unsigned last, unsigned bytes, bool lanes_share, Addresses const& addresses) {
    std::array<std::vector<std::uint64_t>, shared_banks> words;
    for (auto const& [lane, address] : addresses) {
        if (lane < first || lane >= last) {
            continue;
        }
        for (std::uint64_t word = address / bytes_per_bank; word <= (address + bytes - 1) / bytes_per_bank; ++word) {
            auto& bank = words[word % shared_banks];
            if (!lanes_share || std::find(bank.begin(), bank.end(), word) == bank.end()) {
                bank.push_back(word);
            }
        }
    }
    std::size_t most = 0;
    for (auto const& bank : words) {
        most = std::max(most, bank.size());
    }
    return most;
}

}  // namespace

Wavefronts wavefronts_of(EventKind kind, unsigned bytes, Addresses const& addresses) {
    bool const is_load = kind == EventKind::shared_load;
    bool const lanes_share = is_load || kind == EventKind::shared_store || kind == EventKind::shared_increment;
    unsigned const times = kind == EventKind::shared_swap ? 2 : 1;
    unsigned together = lanes_together(bytes);
    if (is_load && together < 32 && (are_pairs(1, addresses) || are_pairs(2, addresses))) {
        together *= 2;
    }
    Wavefronts all;
    for (unsigned first = 0; first < 32; first += together) {
        std::uint64_t const needed = passes(first, first + together, bytes, lanes_share, addresses);
        all.needed += times * needed;
        all.fewest += needed != 0 ? times : 0;
    }
    return all;
}

}  // namespace lockstep::simt::hooks
