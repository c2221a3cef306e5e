#pragma once
// How long each method is expected to take on an H200, so that the fastest one can be chosen (choice.hpp).
//
// To draw one board in each of s streams, a method takes the time c * sqrt(s^2 + h^2). c is the time per board on a
// full device: a sum of times per word, probe and so on. h is the number of streams from which the device fills up.
// With far fewer, all streams run at the same time, and the time does not depend on s.
//
// The constants are fitted to times of random shapes, k, engines and numbers of streams and to the rows of the sweeps,
// with stored boards (METHOD.md, "Which variant is the fastest"). They are effective numbers: only the order of the
// methods matters.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

// Names of the variants that draw such boards, the fastest first. A variant may still refuse the workload.
std::vector<std::string> variants_by_expected_time(Workload const& workload, std::uint64_t streams);

// What a board takes of each thing that costs time. Each method says which things these are.
struct BoardAmounts {
    using List = std::array<double, 8>;

    List amounts = {};
    bool special = false;  // drawn by a kernel that was compiled for such boards
};

// For the fit of the constants (experiments/random_grids/fit_expected_time.py). A variant with kernels of different
// kinds has a method for each kind.
struct MethodAmounts {
    std::string method;
    std::string variant;
    BoardAmounts board;
};

// The methods that draw such boards.
std::vector<MethodAmounts> amounts_of_methods(Workload const& workload);

}  // namespace lockstep::random_grids
