#pragma once
// Counts the boards of a stream that are legal positions (legal_position.hpp).

#include "harness/bench/metric.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

// Draws the problem's first streams, at most 32768 boards, by halving with `lanes` engines, and returns
// `positions_judged`, `legal_in_go`, `legal_in_gomoku`, `legal_in_hex` and `legal_in_all`. No metrics unless boards
// have two colours.
bench::Metrics count_legal(bench::Problem const& problem, unsigned lanes);

}  // namespace lockstep::random_grids
