#pragma once
// One point of a design of experiments, and the constants of the models. Host and device share them.

namespace lockstep::replications {

inline constexpr unsigned map_width = 60;
inline constexpr unsigned map_height = 50;
inline constexpr unsigned time_fraction_bits = 23;
inline constexpr unsigned memory_bits = 20;
inline constexpr unsigned max_items = 1u << 30;  // 64-bit sums do not overflow

// The parameters of a model.
struct Point {
    unsigned items = 0;         // draws, clients or steps
    unsigned inverse_rate = 0;  // mm1: mean gap between arrivals, in units of 2^-16
    unsigned chunk_width = 0;   // walk: in squares
    unsigned chunk_height = 0;
    unsigned ways = 0;                 // branches: different branches of a step
    unsigned rounds = 0;               // chunk_walk, branches: length of a branch
    unsigned loads = 0;                // branches: words read per step
    unsigned const* memory = nullptr;  // branches: 2^memory_bits words of the machine; a case sets it
    friend bool operator==(Point const&, Point const&) = default;
};

// Word `index` of the memory that the model `branches` reads.
constexpr unsigned memory_word(unsigned index) { return (index ^ index >> 7) * 0x85ebca6bu; }

}  // namespace lockstep::replications
