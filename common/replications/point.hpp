#pragma once
// One point of a design of experiments, and the constants of the models. Host and device share them.

namespace lockstep::replications {

inline constexpr unsigned map_width = 60;
inline constexpr unsigned map_height = 50;
inline constexpr unsigned time_fraction_bits = 24;
inline constexpr unsigned max_items = 1u << 30;  // 64-bit sums do not overflow

// The parameters of a model.
struct Point {
    unsigned items = 0;         // draws, clients or steps
    unsigned inverse_rate = 0;  // mm1: mean gap between arrivals, in units of 2^-16
    unsigned chunk_width = 0;   // walk: in squares
    unsigned chunk_height = 0;
    friend bool operator==(Point const&, Point const&) = default;
};

}  // namespace lockstep::replications
