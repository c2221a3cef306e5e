#pragma once
// How `dense` draws a set (reference_cpu/random_grids/dense.hpp says why that is exact): who holds which words, and
// which density its dense pass has. Densities are chosen by an estimate of what they cost; any choice is exact.

#include <optional>
#include <string>
#include <vector>

#include "common/random_grids/dense_packed.hpp"
#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

// A team of `lanes` lanes holds `boards` boards at once, `words` words of each a lane: lane l those numbered l, l +
// lanes, ... A probe looks at one of words x lanes words and at one of 2^column_bits bits.
struct DenseTeam {
    unsigned lanes = 1;
    unsigned words = 32;
    unsigned column_bits = 5;
    unsigned boards = 1;
    unsigned thrown = 0;  // words a lane draws in a round of throws, where it is not five for a thread, two in a team

    unsigned positions() const { return lanes * words << column_bits; }
    // Bits of a random word that a probe takes, and probes a word: the column lowest, then the word.
    unsigned field_bits() const;
    unsigned probes() const;
    // A ball thrown takes more bits, so that a thread that holds rows of 32 sites finds the row's number where it is
    // the row's offset in bytes, 128 a row: two instructions less.
    unsigned ball_word_bit() const { return lanes == 1 && column_bits == 5 ? 7 : column_bits; }
    unsigned ball_bits(unsigned word_bits = 32) const;
    unsigned balls(unsigned word_bits = 32) const { return word_bits / ball_bits(word_bits); }
    // Words of a round of throws.
    unsigned words_thrown() const { return thrown != 0 ? thrown : lanes == 1 ? 5 : 2; }
    friend bool operator==(DenseTeam const&, DenseTeam const&) = default;
};

// Each candidate is taken with probability numerator / 2^digits; the numerator is odd, or there are no digits. Then,
// where the plan throws, as many sites are taken without a look as can be in whole rounds.
struct DensePlan {
    unsigned digits = 0;
    unsigned numerator = 0;
    bool throws = false;

    unsigned packed() const { return numerator << 8 | (throws ? dense_throws : 0) | digits; }
    friend bool operator==(DensePlan const&, DensePlan const&) = default;
};

inline constexpr unsigned max_digits = 6;

// The cheapest density for `wanted` of `candidates`, of which it is at most half. `mixed`: neighbouring boards want
// other numbers.
DensePlan dense_plan(DenseTeam const& team, unsigned candidates, unsigned wanted, bool mixed = false);

// The team for a workload: what was fastest on an H200. Nothing for boards of more than 512 words.
std::optional<DenseTeam> dense_team(Workload const& workload);

// One plan a plane, or, where k is mixed, one for each number up to half the sites.
std::vector<DensePlan> workload_plans(Workload const& workload, DenseTeam const& team);

// Random words expected for one board, within a few in a hundred. Mixed: the mean over k.
double dense_words(Workload const& workload);

// Empty where `dense` takes the workload.
inline std::string why_not_dense(Workload const& workload) {
    return dense_team(workload) ? "" : "its teams hold 512 words of a board";
}

}  // namespace lockstep::random_grids
