#pragma once
// How a kernel gets a plan of `dense` (dense_plan.hpp) in one word: numerator << 8 | dense_throws | digits.

namespace lockstep::random_grids {

inline constexpr unsigned dense_throws = 0x80;

}  // namespace lockstep::random_grids
