#pragma once
// Packed form in which a kernel receives a plan of `dense` (dense_plan.hpp): numerator << 8 | dense_throws | digits.

namespace lockstep::random_grids {

inline constexpr unsigned dense_throws = 0x80;

}  // namespace lockstep::random_grids
