#pragma once
// Component seeds for comparing taus88 implementations.

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "harness/random/taus88.hpp"

namespace lockstep::random {

// The smallest valid seeds and their neighbours, all ones, and 1000 random triples.
inline std::vector<std::array<std::uint32_t, 3>> taus88_triples() {
    std::vector<std::array<std::uint32_t, 3>> triples{
        {2, 8, 16}, {3, 9, 17}, {2, 0xffffffff, 31}, {0xffffffff, 0xffffffff, 0xffffffff}};
    std::mt19937 random(1);
    auto const word = [&] { return static_cast<std::uint32_t>(random()); };
    while (triples.size() < 1004) {
        std::array<std::uint32_t, 3> const seeds{word(), word(), word()};
        if (!cpu::Taus88::degenerate(seeds[0], seeds[1], seeds[2])) {
            triples.push_back(seeds);
        }
    }
    return triples;
}

}  // namespace lockstep::random
