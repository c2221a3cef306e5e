#pragma once
// Executable specification of `pooled`: the boards of 32 streams, a dense pass over each, and one repair of all.
//
//   pass:   each lane draws its board: it takes each candidate independently with probability a / 2^t near k/N (t
//           random words per row, combined by the bits of a, lowest first: x becomes word | x for a one and word & x
//           for a zero). If more than half of the candidates are wanted, it draws the others. A board that has too few
//           sites misses the rest; if it has too many, the roles of taken and free sites are exchanged.
//   repair: each lane has a board and a number of hits to make on it: at first its own board and the sites that it
//           misses. When at most half of the lanes have hits left to make, each that has two or more gives half of them
//           to a lane that has none. If none has two, all make their last hits.
//   step:   each lane draws a random word, which names several sites. Until hits are given for the first time, each
//           lane is alone on its board and probes the sites one after the other, until it has made its hits. From then
//           on, all lanes look at their sites at the same time; then each takes its free sites in order, until it has
//           made its hits. A site that is taken twice in this way counts once for its board, which then misses a site
//           when all lanes are done. If a board does, the repair begins anew.
//
// A board never has more hits outstanding than it misses, so it never gets too many sites.
//
// Exact: every decision (how many hits a lane has left, on which board, when it gives some away) depends on counts and
// on whether probes hit or coincide, never on where a site is, and each probe is uniform on the sites of its board. So
// the law of the result does not change if the sites of each board are renamed, each by its own permutation. These
// renamings carry each choice of 32 sets of the right sizes to each other one: all choices are equally likely, so each
// board is uniform and the boards are independent.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "common/random_grids/pooled_plan.hpp"

namespace lockstep::random_grids {

// One set to draw.
struct PooledJob {
    std::vector<std::uint32_t> candidates;
    unsigned occupied = 0;
    unsigned numerator = 0;  // for the smaller of `occupied` and the rest
};

namespace pooled_detail {

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

// A site that a probe names, on a board.
struct Probe {
    unsigned board = 0;
    unsigned word = 0;
    std::uint32_t bit = 0;
};

struct Part {
    unsigned board = 0;
    unsigned left = 0;  // hits to make
    friend bool operator==(Part const&, Part const&) = default;
};

template <class NextWord>
class Drawing {
public:
    Drawing(PooledForm const& form, unsigned digits, NextWord& next_word)
        : form_(form), rejected_(form.rejected()), digits_(digits), next_word_(next_word), sites_(form.probes) {}

    void pass(PooledJob const& job, unsigned lane) {
        unsigned const candidates = population(job.candidates);
        bool const complement = job.occupied > candidates - job.occupied;
        unsigned const wanted = complement ? candidates - job.occupied : job.occupied;
        Board board{job.candidates, std::vector<std::uint32_t>(form_.words, 0), 0, false, complement};
        for (unsigned digit = 0; digit < digits_; ++digit) {
            bool const one = (job.numerator >> digit & 1u) != 0;
            for (std::uint32_t& row : board.drawn) {
                std::uint32_t const word = next_word_(lane);
                row = one ? word | row : word & row;
            }
        }
        for (unsigned i = 0; i < form_.words; ++i)
            board.drawn[i] &= board.candidates[i];
        unsigned const count = population(board.drawn);
        board.removing = count > wanted;
        board.missing = board.removing ? count - wanted : wanted - count;
        boards_.push_back(board);
    }

    void repair() {
        while (std::any_of(boards_.begin(), boards_.end(), [](Board const& board) { return board.missing != 0; })) {
            parts_.clear();
            for (unsigned board = 0; board < form_.lanes; ++board)
                parts_.push_back({board, boards_[board].missing});
            make_hits(form_.quorum, true);
            while (give())
                make_hits(form_.quorum, false);
            make_hits(0, false);
        }
    }

    // The sets, one per board.
    std::vector<std::vector<std::uint32_t>> sets() const {
        std::vector<std::vector<std::uint32_t>> sets;
        for (Board const& board : boards_) {
            sets.push_back(board.drawn);
            for (unsigned i = 0; board.complement && i < form_.words; ++i)
                sets.back()[i] = board.candidates[i] & ~board.drawn[i];
        }
        return sets;
    }

    std::uint64_t steps() const { return steps_; }

private:
    // Lanes with two or more hits to make give half of them to lanes without hits, both in the order of lanes. Returns
    // false if no lane gives any. At most half of the lanes have hits to make, so every one finds a receiver.
    bool give() {
        auto receiver = parts_.begin();
        std::vector<Part> const before = parts_;
        for (unsigned lane = 0; lane < form_.lanes; ++lane) {
            unsigned const half = before[lane].left / 2;
            if (half == 0)
                continue;
            while (before[static_cast<std::size_t>(receiver - parts_.begin())].left != 0)
                ++receiver;
            parts_[lane].left -= half;
            *receiver++ = {before[lane].board, half};
        }
        return parts_ != before;
    }

    void make_hits(unsigned const quorum, bool const alone) {
        auto const busy = [](Part const& part) { return part.left != 0; };
        while (std::count_if(parts_.begin(), parts_.end(), busy) > static_cast<std::ptrdiff_t>(quorum)) {
            words_.clear();  // of each lane in turn
            for (unsigned lane = 0; lane < form_.lanes; ++lane) {
                for (unsigned i = 0; i < form_.words_per_step; ++i)
                    words_.push_back(next_word_(lane));
            }
            for (unsigned i = 0; i < form_.words_per_step; ++i) {
                taken_.clear();
                for (unsigned lane = 0; lane < form_.lanes; ++lane)
                    probe(words_[lane * form_.words_per_step + i], parts_[lane], alone);
                for (Probe const& probe : taken_)
                    take(probe);
            }
            ++steps_;
        }
    }

    // A lane takes sites until it has made its hits: at once if it is alone on its board, else it adds them to taken_.
    void probe(std::uint32_t const word, Part& part, bool const alone) {
        std::uint64_t const mask = (std::uint64_t{1} << form_.word_bits) - 1;
        std::uint64_t fraction = word;
        for (unsigned i = 0; i < form_.probes; ++i) {
            std::uint64_t const product = fraction * form_.sites;
            sites_[i] = static_cast<unsigned>(product >> form_.word_bits);
            fraction = product & mask;
        }
        if (fraction < rejected_)
            return;
        for (unsigned i = 0; i < form_.probes && part.left != 0; ++i) {
            Probe const at{part.board, sites_[i] / form_.word_bits, 1u << sites_[i] % form_.word_bits};
            if (!is_free(at))
                continue;
            --part.left;
            if (alone)
                take(at);
            else
                taken_.push_back(at);
        }
    }

    bool is_free(Probe const& probe) const {
        Board const& board = boards_[probe.board];
        bool const drawn = (board.drawn[probe.word] & probe.bit) != 0;
        return (board.candidates[probe.word] & probe.bit) != 0 && drawn == board.removing;
    }

    void take(Probe const& probe) {
        if (!is_free(probe))
            return;  // it was taken twice
        boards_[probe.board].drawn[probe.word] ^= probe.bit;
        --boards_[probe.board].missing;
    }

    PooledForm const form_;
    std::uint64_t const rejected_;
    unsigned const digits_;
    NextWord& next_word_;
    std::vector<Board> boards_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> words_;  // of a step
    std::vector<unsigned> sites_;       // of a probe
    std::vector<Probe> taken_;          // by the lanes of a step
    std::uint64_t steps_ = 0;
};

}  // namespace pooled_detail

// Draws one set per lane. next_word(lane) returns the lane's next random word of form.word_bits bits.
template <class NextWord>
std::vector<std::vector<std::uint32_t>> draw_pooled(PooledForm const& form, unsigned digits,
                                                    std::vector<PooledJob> const& jobs, NextWord&& next_word) {
    pooled_detail::Drawing<std::remove_reference_t<NextWord>> drawing(form, digits, next_word);
    for (unsigned lane = 0; lane < form.lanes; ++lane)
        drawing.pass(jobs[lane], lane);
    drawing.repair();
    return drawing.sets();
}

}  // namespace lockstep::random_grids
