#pragma once
// Updates of shared memory for which a GPU has no instruction: additions of floating-point numbers, and all updates of
// 64 bits but exchanges and compare-and-swap. nvcc makes a loop of them for sm_90 (CUDA 13):
//
//     again: LDS old, [word]; new = old + value; ATOMS.CAST.SPIN done, [word], old, new; @!done BRA again
//
// In each round one lane per bank succeeds: of the warp, or, for words of 64 bits, of each of its halves; but only one
// per word. So lanes of a warp that update the same word take as many rounds. A swap passes twice, and the lanes that
// fail pass with those that succeed. All of this as an H200 counts it, with kernels of one warp. Rounds that other
// warps cause are not modelled: they depend on how the warps are scheduled.

#include <cstdint>
#include <utility>
#include <vector>

#include "harness/simt/hooks/counters.hpp"
#include "harness/simt/hooks/loop_rounds.hpp"

namespace lockstep::simt::hooks {

struct UpdateLoop {
    Requests loads;
    Requests swaps;
    Branches branches;

    void add(UpdateLoop const& other);
};

// Instructions of a round.
constexpr unsigned update_loop_instructions = 5;

// The loop of lanes that update `addresses`, `bytes` each.
UpdateLoop update_loop(unsigned bytes, std::vector<std::pair<unsigned, std::uint64_t>> addresses);

}  // namespace lockstep::simt::hooks
