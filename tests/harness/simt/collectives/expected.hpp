#pragma once
// Expected results of the collectives kernel, derived lane by lane from the CUDA C++ Programming Guide.

#include <bit>
#include <vector>

#include "tests/harness/simt/collectives/collectives.hpp"

namespace lockstep::collectives {

inline std::vector<unsigned> expected_warp_part(unsigned lane) {
    std::vector<unsigned> out;
    auto const add = [&](auto... values) { (out.push_back(static_cast<unsigned>(values)), ...); };
    unsigned thirds = 0;
    unsigned fives = 0;
    for (unsigned i = 0; i < 32; ++i) {
        if (i % 3 == 0) {
            thirds |= 1u << i;
        }
        if (i / 5 == lane / 5) {
            fives |= 1u << i;
        }
    }
    unsigned xor_of_multiples = 0;
    for (unsigned i = 0; i < 32; ++i) {
        xor_of_multiples ^= i * 77;
    }
    add(thirds, 1, 0);
    add(50);
    add(lane / 8 * 8 + 1);
    add(lane >= 3 ? lane - 3 : lane);
    add(lane % 8 >= 3 ? lane - 3 : lane);
    add(lane + 3 < 32 ? lane + 3 : lane);
    add(lane % 16 + 3 < 16 ? lane + 3 : lane);
    add(lane ^ 21);
    add((lane ^ 8) < lane / 8 * 8 + 8 ? lane ^ 8 : lane);  // may read an earlier segment, not a later one
    add(std::bit_cast<unsigned>(0.5f * static_cast<float>(lane ^ 1)));
    add(lane ^ 2, 1u << 8);
    add(fives);
    add(0xFFFFFFFFu, 1, 0);
    add(static_cast<unsigned>(-16));  // the sum of -16 .. 15
    add(static_cast<unsigned>(-16));
    add(0xFFFFFFFFu);
    add(64, 31, xor_of_multiples);
    add(lane < 16 ? 120 : 0x55550000u);
    return out;
}

// For one block of 96 threads.
inline std::vector<unsigned> expected_block_part() {
    constexpr unsigned threads = 96;
    unsigned xor_of_ranks = 0;
    for (unsigned i = 0; i < threads; ++i) {
        xor_of_ranks ^= i;
    }
    return {32,
            1,
            0,
            threads * (threads - 1) / 2,
            threads - 1,
            5,
            0xFFFFFFFFu,
            xor_of_ranks,
            threads % 10,
            42,
            static_cast<unsigned>(-96),
            std::bit_cast<unsigned>(48.25f)};
}

inline std::vector<unsigned> expected_collectives() {
    std::vector<unsigned> all;
    for (unsigned rank = 0; rank < 96; ++rank) {
        std::vector<unsigned> lane = expected_warp_part(rank % 32);
        for (unsigned const value : expected_block_part()) {
            lane.push_back(value);
        }
        lane.push_back(0x12345678u << 4 | (0x80000001u + rank) >> 28);
        lane.resize(results_per_lane, 0);
        all.insert(all.end(), lane.begin(), lane.end());
    }
    return all;
}

inline std::vector<unsigned> expected_indices() {
    std::vector<unsigned> all;
    for (unsigned block = 0; block < 12; ++block) {
        for (unsigned rank = 0; rank < 60; ++rank) {
            all.push_back(rank % 5 + 10 * (rank / 5 % 4) + 100 * (rank / 20) + 1000 * (block % 2) +
                          10000 * (block / 2 % 3) + 100000 * (block / 6) + 1000000 * (rank % 32) +
                          100000000 * (rank / 32));
        }
    }
    return all;
}

inline std::vector<unsigned> expected_early_exit(unsigned threads) {
    std::vector<unsigned> all(threads, 0);
    for (unsigned i = 0; i < threads; i += 2) {
        all[i] = (threads + 1) / 2;
    }
    return all;
}

}  // namespace lockstep::collectives
