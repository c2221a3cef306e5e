#pragma once
// Checks of stored output on one machine: layout, digest, results, poison. A kernel file includes this once per
// machine.

#include <gtest/gtest.h>

#include <numeric>

#include "harness/bench/stored_output.hpp"
#if defined(__CUDACC__) || defined(LOCKSTEP_EMULATOR)
#include "harness/bench/gather.hpp"
#include "harness/simt/buffer.hpp"
#endif

namespace lockstep::bench::LOCKSTEP_MACHINE {

// A word that differs for every index.
inline unsigned checked_word(unsigned long long const unit, unsigned const word) {
    return static_cast<unsigned>(unit * 2654435761u + word * 40503u + 7u);
}

inline void fill(StoredOutput& output, Problem const& problem) {
    std::vector<unsigned> words(output.bytes() / sizeof(unsigned));
    for (std::uint64_t unit = 0; unit < problem.units; ++unit) {
        for (unsigned word = 0; word < output.layout().words; ++word) {
            words[word_index(output.layout(), unit, word)] = checked_word(problem.first_unit + unit, word);
        }
    }
    output.upload(words);
}

inline void check_stored_output(std::uint64_t const units, unsigned const words, unsigned const interleave) {
    SCOPED_TRACE(std::to_string(units) + " units of " + std::to_string(words) + " words by " +
                 std::to_string(interleave));
    Problem problem;
    problem.first_unit = 1000;
    problem.units = units;
    StoredOutput output(problem, words, interleave);
    ASSERT_GE(output.bytes(), units * words * sizeof(unsigned));
    ASSERT_LT(output.bytes(), (units + interleave) * words * sizeof(unsigned));
    output.poison();
    fill(output, problem);

    // Every second unit in descending order: results come in the requested order.
    std::vector<std::uint64_t> asked;
    for (std::uint64_t unit = 0; unit < units; unit += 2)
        asked.insert(asked.begin(), 1000 + unit);
    std::vector<UnitResult> const found = output.results(asked);
    ASSERT_EQ(found.size(), asked.size());
    std::uint64_t digest = 0;
    for (std::uint64_t unit = 1000; unit < 1000 + units; ++unit) {
        UnitResult expected(words);
        for (unsigned word = 0; word < words; ++word)
            expected[word] = checked_word(unit, word);
        digest += unit_digest(unit, expected);
    }
    for (std::size_t i = 0; i < asked.size(); ++i) {
        for (unsigned word = 0; word < words; ++word)
            EXPECT_EQ(found[i].at(word), checked_word(asked[i], word));
    }
    EXPECT_EQ(output.digest(), digest);
    std::vector<std::uint64_t> const outside = {1000 + units};
    EXPECT_THROW(output.results(outside), Error);
    output.poison();
    if (units > 0) {
        EXPECT_NE(output.digest(), digest);
    }
}

#if defined(__CUDACC__) || defined(LOCKSTEP_EMULATOR)
// The kernel that StoredOutput uses on a GPU.
inline void check_gather(std::uint64_t const units, unsigned const words, unsigned const interleave) {
    WordLayout const layout{units, words, interleave};
    std::vector<unsigned> stored(words_stored(layout), 0xA5A5A5A5u);
    std::vector<unsigned long long> asked;
    for (std::uint64_t unit = units; unit-- > 0;) {
        for (unsigned word = 0; word < words; ++word)
            stored[word_index(layout, unit, word)] = checked_word(unit, word);
        if (unit % 3 != 1)
            asked.push_back(unit);
    }
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> from(stored.size());
    simt::LOCKSTEP_MACHINE::Buffer<unsigned long long> indices(asked.size());
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> to(asked.size() * words + 1);
    from.upload(stored);
    indices.upload(asked);
    to.fill_bytes(0x5A);
    gather_units(layout, from.data(), indices.data(), asked.size(), to.data());
    std::vector<unsigned> const found = to.to_vector();
    for (std::size_t i = 0; i < asked.size(); ++i) {
        for (unsigned word = 0; word < words; ++word)
            ASSERT_EQ(found[i * words + word], checked_word(asked[i], word)) << units << " " << words;
    }
    EXPECT_EQ(found.back(), 0x5A5A5A5Au);  // the word after the last is unchanged
}
#else
inline void check_gather(std::uint64_t, unsigned, unsigned) {}  // host memory needs no gather
#endif

inline void check_all_shapes() {
    for (std::uint64_t const units : {0u, 1u, 31u, 32u, 33u, 300u}) {
        for (unsigned const words : {1u, 5u, 32u}) {
            for (unsigned const interleave : {1u, 32u}) {
                check_stored_output(units, words, interleave);
                check_gather(units, words, interleave);
            }
        }
    }
}

}  // namespace lockstep::bench::LOCKSTEP_MACHINE
