// Chunks of a range: together they cover the range, none is too short, and an exception of one is rethrown after all
// have ended.

#include "harness/bench/parallel_chunks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace lockstep::bench {
namespace {

TEST(BenchParallelChunks, CoverTheRange) {
    for (std::size_t const count : {0u, 1u, 31u, 32u, 33u, 1000u}) {
        std::size_t const parts = chunk_count(count, 10);
        std::vector<std::atomic<int>> visits(count);
        std::vector<std::size_t> lengths(parts, 0);
        parallel_chunks(count, 10, [&](std::size_t const part, std::size_t const first, std::size_t const last) {
            lengths.at(part) = last - first;
            for (std::size_t i = first; i < last; ++i)
                ++visits.at(i);
        });
        for (std::atomic<int> const& visit : visits)
            EXPECT_EQ(visit, 1);
        for (std::size_t const length : lengths)
            EXPECT_TRUE(length >= 10 || parts == 1) << length << " of " << count;
    }
}

TEST(BenchParallelChunks, ExceptionsAreRethrown) {
    std::size_t const parts = chunk_count(100000, 1);
    std::atomic<std::size_t> ended = 0;
    EXPECT_THROW(parallel_chunks(100000, 1,
                                 [&](std::size_t const part, std::size_t, std::size_t) {
                                     ++ended;
                                     if (part + 1 == parts)
                                         throw std::runtime_error("planted");
                                 }),
                 std::runtime_error);
    EXPECT_EQ(ended, parts);
}

}  // namespace
}  // namespace lockstep::bench
