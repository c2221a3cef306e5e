#pragma once
// What the woven kernels of aspects.cu have to compute, on any machine.

#include <gtest/gtest.h>

#include "harness/random/philox.hpp"
#include "tests/replications/aspects.hpp"

namespace lockstep::replications::tests {

inline void expect_draws(Drawn const& drawn, unsigned long long threads, unsigned long long size) {
    EXPECT_EQ(drawn.threads, threads);
    EXPECT_EQ(drawn.runs, size);
    ASSERT_EQ(drawn.words.size(), size);
    for (unsigned long long i = 0; i < size; ++i) {
        auto stream = random::cpu::Philox4x32<10>::stream(7, i, 0);
        EXPECT_EQ(drawn.words[i], i == 3 ? 0 : stream()) << i;
    }
}

// The kernel adds 1 to all but each third word, and its advice 1 to every word.
inline void expect_breaks(Drawn const& drawn, unsigned long long threads, unsigned long long size) {
    EXPECT_EQ(drawn.threads, threads);
    EXPECT_EQ(drawn.runs, size);
    ASSERT_EQ(drawn.words.size(), size);
    for (unsigned long long i = 0; i < size; ++i)
        EXPECT_EQ(drawn.words[i], i % 3 == 1 ? 1 : 2) << i;
}

// Every thread runs the advice, however it leaves; only the odd threads run the kernel to its end.
inline void expect_leaves(std::vector<unsigned long long> const& counts, unsigned long long threads, bool is_timed) {
    EXPECT_EQ(counts[0], threads);
    EXPECT_EQ(counts[1], threads);
    EXPECT_EQ(counts[2] > 0, is_timed);
    EXPECT_EQ(counts[3], threads / 2);
}

}  // namespace lockstep::replications::tests
