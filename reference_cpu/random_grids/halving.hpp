#pragma once
// Executable specification of Borsos' bit-parallel algorithm (slides "Single core bit-parallel algorithm" and
// "Threadwise CUDA code"): a random subset of exactly k candidates.
//
//   repeat until the subset has k sites:
//       select:  select each candidate by its own random bit; count the selected ones
//       include: if they fit, move them from the candidates to the subset
//       exclude: else, the selected ones become the candidates
//
// Decisions depend on counts only, and the bits are fair and independent, so no candidate is preferred: every subset of
// k is equally likely. About log2 N steps.
//
// Assignment of engines to words: lane l of `lanes` holds rows l, l + lanes, l + 2 lanes ... In each step it draws one
// word for each word of its rows, in order, including rows past the last one. One lane (threadwise): all words in order
// from one engine. 32 lanes: warpwise.

#include <bit>
#include <cstdint>
#include <vector>

namespace lockstep::random_grids {

// Arrangement of words: `rows` rows of `words_per_row` words, distributed over `lanes` lanes.
struct Rows {
    unsigned rows = 1;
    unsigned words_per_row = 1;
    unsigned lanes = 1;
};

// Observer that ignores the steps.
struct NoObserver {
    void step(unsigned /*candidates*/, unsigned /*selected*/, bool /*included*/) {}
};

template <class Word>
unsigned population(std::vector<Word> const& words) {
    unsigned count = 0;
    for (Word const word : words)
        count += static_cast<unsigned>(std::popcount(word));
    return count;
}

// Returns a random subset of `occupied` of the candidates. Precondition: occupied is at most their number, else the
// loop never ends. next_word(lane) returns the lane's next random word. `Word` is any unsigned type; with narrow types,
// tests can enumerate all words.
template <class Word, class NextWord, class Observer = NoObserver>
std::vector<Word> halve(std::vector<Word> candidates, Rows const& shape, unsigned occupied, NextWord&& next_word,
                        Observer&& observer = {}) {
    std::vector<Word> subset(candidates.size(), Word{0});
    std::vector<Word> selected(candidates.size());
    unsigned included = 0;
    while (included != occupied) {
        for (unsigned lane = 0; lane < shape.lanes; ++lane) {
            for (unsigned first = 0; first < shape.rows; first += shape.lanes) {
                for (unsigned column = 0; column < shape.words_per_row; ++column) {
                    Word const word = static_cast<Word>(next_word(lane));
                    unsigned const row = first + lane;
                    if (row >= shape.rows)
                        continue;
                    std::size_t const i = std::size_t{row} * shape.words_per_row + column;
                    selected[i] = static_cast<Word>(word & candidates[i]);
                }
            }
        }
        unsigned const count = population(selected);
        bool const fits = included + count <= occupied;
        observer.step(population(candidates), count, fits);
        if (fits) {
            for (std::size_t i = 0; i < subset.size(); ++i) {
                subset[i] = static_cast<Word>(subset[i] | selected[i]);
                candidates[i] = static_cast<Word>(candidates[i] & ~selected[i]);
            }
            included += count;
        } else {
            candidates = selected;
        }
    }
    return subset;
}

}  // namespace lockstep::random_grids
