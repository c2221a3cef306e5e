#pragma once
// Runs every operation of harness/simt/warp.hpp and returns the results of each lane, which all machines share.

#include <vector>

#include "harness/simt/kernel.hpp"

namespace lockstep::warp_operations {

inline constexpr unsigned threads = 64;  // two warps: a lane that reads from the other warp fails the test

// The map x -> factor * x + term: two words, and the composition of two maps does not commute.
struct Map {
    unsigned factor;
    unsigned term;
};

__host__ __device__ inline Map compose(Map const& earlier, Map const& later) {
    return {earlier.factor * later.factor, earlier.term * later.factor + later.term};
}

// The inputs of a lane.
struct Lane {
    unsigned word;
    unsigned long long wide;
    Map map;
    unsigned ballot;
};

struct Results {
    unsigned below_self, below_seven;
    unsigned rank, rank_of_seven;
    unsigned team_of_1, team_of_2, team_of_8, team_of_32;
    unsigned sum;
    unsigned long long wide_sum, exchanged;
    unsigned in_first_lane;
    unsigned long long wide_in_first_lane;
    unsigned up_to;
    unsigned word_up_to;
    unsigned long long wide_up_to;
    Map before[3], all[3];  // in teams of 1, 8 and 32 lanes
    Map sums[3];
};

inline constexpr unsigned widths[3] = {1, 8, 32};

namespace emulator {
std::vector<Results> run(std::vector<Lane> const& lanes);
}  // namespace emulator

namespace cuda {
std::vector<Results> run(std::vector<Lane> const& lanes);
}  // namespace cuda

}  // namespace lockstep::warp_operations
