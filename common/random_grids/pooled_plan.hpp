#pragma once
// Plan of the variant `pooled`: how many words a board has, how many probes a random word serves, and the density of
// the dense pass. An estimate of the cost chooses the density; every choice is exact
// (reference_cpu/random_grids/pooled.hpp says why).

#include <optional>
#include <string>
#include <vector>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

// Streams that are drawn together: one per lane of a warp. Group g has units 32 g to 32 g + 31.
inline constexpr unsigned pooled_lanes = 32;

// How boards are drawn. Sites are numbered row by row, without padding; site s is bit s % word_bits of word s /
// word_bits of a board.
struct PooledForm {
    unsigned sites = 0;
    unsigned words = 0;   // of a board, including words past the last site
    unsigned probes = 1;  // per random word
    // Random words per step of the repair, from each lane's engine: four if it makes four at once.
    unsigned words_per_step = 2;
    // Lanes give hits to others when at most so many have some to make; at most half of the lanes.
    unsigned quorum = 16;
    unsigned lanes = pooled_lanes;
    unsigned word_bits = 32;

    // Random words whose probes' numbers, as digits of a fraction, end below this limit are rejected: 2^word_bits mod
    // sites^probes.
    std::uint64_t rejected() const;
};

// The pass takes each candidate with probability numerators[wanted] / 2^digits. One numerator per plane or, if k is
// mixed, one per number of sites from 0 to half of all; all boards of a plane have equally many digits.
struct PooledPlan {
    unsigned digits = 0;
    std::vector<unsigned> numerators;
};

inline constexpr unsigned max_pooled_digits = 6;

// Whether a kernel for boards of so many words and one colour knows the width of their rows.
inline bool knows_rows(unsigned words, unsigned width) {
    return (words == 8 && width == 15) || (words == 20 && width == 24) || (words == 36 && width == 33) ||
           (words == 72 && width == 48);
}

// Returns the form for a workload, or nothing for boards of more than 2304 sites (1152 with several colours).
std::optional<PooledForm> pooled_form(Workload const& workload);

// Returns one plan per plane.
std::vector<PooledPlan> pooled_plans(Workload const& workload, PooledForm const& form);

// Expected number of random words per board that the pass and hits need, accurate to a tenth or so: the words of idle
// lanes are left out. Mixed: the mean over k.
double pooled_words(Workload const& workload);

// Returns an empty string if `pooled` supports the workload, else the reason.
inline std::string why_not_pooled(Workload const& workload) {
    return pooled_form(workload) ? "" : "its lanes hold at most 2304 sites of one colour, or 1152 of several";
}

}  // namespace lockstep::random_grids
