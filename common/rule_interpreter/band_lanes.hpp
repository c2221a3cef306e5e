#pragma once
// The three bands of a grid in three neighbouring lanes of a warp (bit_board.hpp): ten grids, and two lanes without
// one.

#include "common/rule_interpreter/bit_board.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned bands_per_grid = 3;
inline constexpr unsigned cells_of_band = 27;
inline constexpr unsigned grids_per_warp = 10;

// All lanes of the warp must call its functions.
class LaneBands {
public:
    __device__ LaneBands()
        : grid_(lane_id() / bands_per_grid),
          band_(lane_id() % bands_per_grid),
          next_(grid_ < grids_per_warp ? grid_ * bands_per_grid + (band_ + 1) % bands_per_grid : lane_id()),
          previous_(grid_ < grids_per_warp ? grid_ * bands_per_grid + (band_ + 2) % bands_per_grid : lane_id()) {}

    __device__ unsigned next(unsigned word) const { return __shfl_sync(full_warp, word, static_cast<int>(next_)); }
    __device__ unsigned previous(unsigned word) const {
        return __shfl_sync(full_warp, word, static_cast<int>(previous_));
    }
    __device__ bool any(unsigned word) const { return __any_sync(full_warp, word != 0) != 0; }

    // The lanes of this grid for which the condition holds: bit i is band i.
    __device__ unsigned of_grid(bool condition) const {
        return __ballot_sync(full_warp, condition) >> (grid_ * bands_per_grid) & 7;
    }
    __device__ unsigned grid() const { return grid_; }  // 10 in the lanes without a grid
    __device__ unsigned band() const { return band_; }
    __device__ bool has_grid() const { return grid_ < grids_per_warp; }

private:
    unsigned grid_, band_, next_, previous_;
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
