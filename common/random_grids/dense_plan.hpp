#pragma once
// Plan of the variant `dense`: which lanes hold which words of a board, and the density of the dense pass. An estimate
// of the cost chooses the density; every choice is exact (reference_cpu/random_grids/dense.hpp says why).

#include <optional>
#include <string>
#include <vector>

#include "common/random_grids/dense_packed.hpp"
#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

// A team of `lanes` lanes holds `boards` boards at a time, with `words` words of each board per lane: lane l holds
// words l, l + lanes, ... A probe tests one of words x lanes words and one of 2^column_bits bits.
struct DenseTeam {
    unsigned lanes = 1;
    unsigned words = 32;
    unsigned column_bits = 5;
    unsigned boards = 1;
    unsigned thrown = 0;  // words per lane and round of throws; 0: the default, five for a thread and two in a team

    unsigned positions() const { return lanes * words << column_bits; }
    // Bits of a random word that one probe uses, and probes per word. The lowest bits are the column, those above it
    // the word.
    unsigned field_bits() const;
    unsigned probes() const;
    // A ball of a thread that holds rows of 32 sites uses more bits: bits 0 to 4 are the column and the row starts at
    // bit 7. The row's bits are then its offset in bytes (128 per row), which saves two instructions.
    unsigned ball_word_bit() const { return lanes == 1 && column_bits == 5 ? 7 : column_bits; }
    unsigned ball_bits(unsigned word_bits = 32) const;
    unsigned balls(unsigned word_bits = 32) const { return word_bits / ball_bits(word_bits); }
    // Words per lane and round of throws.
    unsigned words_thrown() const { return thrown != 0 ? thrown : lanes == 1 ? 5 : 2; }
    friend bool operator==(DenseTeam const&, DenseTeam const&) = default;
};

// The pass takes each candidate with probability numerator / 2^digits; the numerator is odd, unless digits is 0. If the
// plan throws, it then takes sites without testing them first, in whole rounds only, never more than are missing.
struct DensePlan {
    unsigned digits = 0;
    unsigned numerator = 0;
    bool throws = false;

    unsigned packed() const { return numerator << 8 | (throws ? dense_throws : 0) | digits; }
    friend bool operator==(DensePlan const&, DensePlan const&) = default;
};

inline constexpr unsigned max_digits = 6;

// Returns the plan with the lowest estimated cost for `wanted` of `candidates` sites. Precondition: wanted <=
// candidates / 2. `mixed`: neighbouring boards differ in `wanted`. `may_throw`: the board has one plane; the kernels
// for several planes do not throw.
DensePlan dense_plan(DenseTeam const& team, unsigned candidates, unsigned wanted, bool mixed = false,
                     bool may_throw = true);

// Returns the team for a workload (the fastest one on an H200), or nothing for boards of more than 512 words.
std::optional<DenseTeam> dense_team(Workload const& workload);

// The team of the variant `dense_warp`, for few streams: a warp per stream. Nothing for boards of more than 128 words.
std::optional<DenseTeam> dense_warp_team(Workload const& workload);

// One of these two functions.
using DenseTeamFunction = std::optional<DenseTeam> (*)(Workload const&);

// Returns one plan per plane or, if k is mixed, one per number of sites from 0 to half of all.
std::vector<DensePlan> workload_plans(Workload const& workload, DenseTeam const& team);

// Expected number of random words per board, accurate to a few percent. Mixed: the mean over k.
double dense_words(Workload const& workload, DenseTeam const& team);

// Returns an empty string if `dense` supports the workload, else the reason.
inline std::string why_not_dense(Workload const& workload) {
    return dense_team(workload) ? "" : "its teams hold at most 512 words of a board";
}
inline std::string why_not_dense_warp(Workload const& workload) {
    return dense_warp_team(workload) ? "" : "its lanes hold at most four words of a board";
}

}  // namespace lockstep::random_grids
