#pragma once
// How long each method is expected to take on an H200, so that the fastest one can be chosen (choice.hpp).
//
// A method takes c * sqrt(s^2 + h^2) per board of a stream, for s streams. c is the time of a board on a full device: a
// sum of times per word, probe and so on. h is the number of streams from which the device fills up: with far fewer,
// each stream has its processor to itself, and the time no longer depends on s.
//
// The constants are fitted to about 2,200 settings of random shapes, k, engines and numbers of streams, with stored
// boards (METHOD.md, "Which variant is the fastest"). They are effective numbers: only the order of the methods
// matters.

#include <cstdint>
#include <string>
#include <vector>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

// Names of the variants that draw such boards, the fastest first. A variant may still refuse the workload.
std::vector<std::string> variants_by_expected_time(Workload const& workload, std::uint64_t streams);

}  // namespace lockstep::random_grids
