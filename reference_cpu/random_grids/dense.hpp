#pragma once
// Executable specification of `dense`: one dense pass and an exact repair.
//
//   pass:   take each candidate independently with probability a / 2^t near k/N: t random words per row, combined by
//           the bits of a, lowest first: x becomes word | x for a one and word & x for a zero. Count.
//   throw:  if many sites are missing after that, take random positions without testing them first, in rounds of a
//           fixed number of balls; only rounds after which no site too many is taken, even if every ball takes a
//           missing site. Count again.
//   repair: while too few are taken, probe a random position; if it is a candidate not taken, take it. If too many are
//           taken, the same with the roles exchanged.
//
// A team of lanes shares a board; each lane has its own engine. The lanes probe simultaneously. Of those that hit, the
// first ones in lane order take their sites, no more than are missing. Two lanes that hit the same site take it once.
//
// Exact: no decision depends on where a site is, only on whether it is hit, and all sites are probed with equal
// probability. So relabelling the sites relabels the result and changes no probability: every set of k is equally
// likely. More than half of the candidates are drawn as the complement of a smaller set.

#include <bit>
#include <cstdint>
#include <vector>

#include "common/random_grids/dense_plan.hpp"

namespace lockstep::random_grids {

// One set to draw. Its words are those of all lanes; word i * lanes + l is the i-th of lane l.
struct DenseJob {
    std::vector<std::uint32_t> candidates;
    unsigned occupied = 0;
    DensePlan plan;  // for the smaller of `occupied` and the rest
};

namespace dense_detail {

inline unsigned population(std::vector<std::uint32_t> const& words) {
    unsigned count = 0;
    for (std::uint32_t const word : words)
        count += static_cast<unsigned>(std::popcount(word));
    return count;
}

struct Board {
    std::vector<std::uint32_t> candidates;
    std::vector<std::uint32_t> drawn;
    unsigned missing = 0;
    bool removing = false;
    bool complement = false;
};

template <class NextWord>
Board pass(DenseTeam const& team, DenseJob const& job, NextWord&& next_word) {
    unsigned const candidates = population(job.candidates);
    bool const complement = job.occupied > candidates - job.occupied;
    unsigned const wanted = complement ? candidates - job.occupied : job.occupied;
    Board board{job.candidates, std::vector<std::uint32_t>(job.candidates.size(), 0), 0, false, complement};
    for (unsigned digit = 0; digit < job.plan.digits; ++digit) {
        for (std::size_t i = 0; i < board.drawn.size(); ++i) {
            std::uint32_t const word = next_word(static_cast<unsigned>(i % team.lanes));
            bool const one = (job.plan.numerator >> digit & 1u) != 0;
            board.drawn[i] = one ? word | board.drawn[i] : word & board.drawn[i];
        }
    }
    for (std::size_t i = 0; i < board.drawn.size(); ++i)
        board.drawn[i] &= board.candidates[i];
    unsigned const count = population(board.drawn);
    board.removing = count > wanted;
    board.missing = board.removing ? count - wanted : wanted - count;
    return board;
}

// A position of a board; `hits` is true if it holds a site that the repair may take.
struct Probe {
    std::size_t at = 0;
    std::uint32_t bit = 0;
    bool hits = false;
};

inline Probe probe(DenseTeam const& team, Board const& board, std::uint32_t field, unsigned word_bit) {
    unsigned const word = field >> word_bit;
    unsigned const step = word % team.words;
    unsigned const lane = word / team.words % team.lanes;
    Probe made{std::size_t{step} * team.lanes + lane, 1u << field % (1u << team.column_bits)};
    made.hits =
        (board.candidates[made.at] & made.bit) != 0 && ((board.drawn[made.at] & made.bit) != 0) == board.removing;
    return made;
}

// Throws balls without testing their sites first, from words of word_bits bits.
template <class NextWord>
void throw_balls(DenseTeam const& team, unsigned word_bits, Board& board, NextWord&& next_word) {
    unsigned const balls = team.balls(word_bits);
    unsigned const rounds = board.missing / (team.words_thrown() * team.lanes * balls);
    for (unsigned word = 0; word < rounds * team.words_thrown(); ++word) {
        for (unsigned lane = 0; lane < team.lanes; ++lane) {
            std::uint32_t const fields = next_word(lane);
            for (unsigned number = 0; number < balls; ++number) {
                std::uint32_t const field = fields >> (number * team.ball_bits(word_bits));
                Probe const made = probe(team, board, field, team.ball_word_bit());
                if (made.hits) {
                    board.drawn[made.at] ^= made.bit;
                    --board.missing;
                }
            }
        }
    }
}

template <class NextWord>
void repair(DenseTeam const& team, unsigned probes, Board& board, NextWord&& next_word) {
    while (board.missing != 0) {
        std::vector<std::uint32_t> words;
        for (unsigned lane = 0; lane < team.lanes; ++lane)
            words.push_back(next_word(lane));
        for (unsigned number = 0; number < probes; ++number) {
            std::vector<Probe> hits;
            for (std::uint32_t const word : words) {
                Probe const made = probe(team, board, word >> (number * team.field_bits()), team.column_bits);
                if (made.hits && hits.size() < board.missing)
                    hits.push_back(made);
            }
            for (Probe const& hit : hits) {
                if (((board.drawn[hit.at] & hit.bit) != 0) != board.removing)
                    continue;  // another lane has taken it
                board.drawn[hit.at] ^= hit.bit;
                --board.missing;
            }
        }
    }
}

}  // namespace dense_detail

// Draws the jobs of one group (at most team.boards): all their passes, then all their repairs. next_word(lane) returns
// the lane's next random word of word_bits bits; `probes` is the number of probes per word (team.probes() for 32 bits).
template <class NextWord>
std::vector<std::vector<std::uint32_t>> draw_dense(DenseTeam const& team, unsigned probes,
                                                   std::vector<DenseJob> const& jobs, NextWord&& next_word,
                                                   unsigned word_bits = 32) {
    std::vector<dense_detail::Board> boards;
    for (DenseJob const& job : jobs) {
        boards.push_back(dense_detail::pass(team, job, next_word));
        if (job.plan.throws)
            dense_detail::throw_balls(team, word_bits, boards.back(), next_word);
    }
    std::vector<std::vector<std::uint32_t>> sets;
    for (dense_detail::Board& board : boards) {
        dense_detail::repair(team, probes, board, next_word);
        for (std::size_t i = 0; board.complement && i < board.drawn.size(); ++i) {
            board.drawn[i] = board.candidates[i] & ~board.drawn[i];
        }
        sets.push_back(board.drawn);
    }
    return sets;
}

}  // namespace lockstep::random_grids
