#pragma once
// The expected results, computed by loops over the lanes of each warp and team.

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/harness/simt/warp/warp.hpp"

namespace lockstep::warp_operations {

inline std::vector<Lane> some_lanes() {
    std::mt19937_64 words(2026);
    std::vector<Lane> lanes(threads);
    for (Lane& lane : lanes) {
        lane.word = static_cast<unsigned>(words());
        lane.wide = words();
        lane.map = {static_cast<unsigned>(words()), static_cast<unsigned>(words())};
        lane.ballot = static_cast<unsigned>(words());
    }
    return lanes;
}

inline unsigned count_below(unsigned lanes, unsigned lane) {
    unsigned count = 0;
    for (unsigned i = 0; i < lane; ++i)
        count += lanes >> i & 1;
    return count;
}

// The sum of a member over lanes first .. end - 1.
template <class T>
T sum_of(std::vector<Lane> const& lanes, T Lane::*member, unsigned first, unsigned end) {
    T sum = 0;
    for (unsigned i = first; i < end; ++i)
        sum += lanes[i].*member;
    return sum;
}

inline void expect_map(Map const& map, Map const& expected) {
    EXPECT_EQ(map.factor, expected.factor);
    EXPECT_EQ(map.term, expected.term);
}

inline void expect_operations(std::vector<Lane> const& lanes, std::vector<Results> const& all) {
    ASSERT_EQ(all.size(), threads);
    for (unsigned rank = 0; rank < threads; ++rank) {
        SCOPED_TRACE(rank);
        Results const& results = all[rank];
        unsigned const lane = rank % 32;
        unsigned const warp = rank - lane;
        EXPECT_EQ(results.below_self, lane == 0 ? 0 : ~0u >> (32 - lane));
        EXPECT_EQ(results.below_seven, 0x7Fu);
        EXPECT_EQ(results.rank, count_below(lanes[rank].ballot, lane));
        EXPECT_EQ(results.rank_of_seven, count_below(lanes[rank].ballot, 7));
        EXPECT_EQ(results.team_of_1, lanes[rank].word);
        EXPECT_EQ(results.team_of_2, sum_of(lanes, &Lane::word, rank / 2 * 2, rank / 2 * 2 + 2));
        EXPECT_EQ(results.team_of_8, sum_of(lanes, &Lane::word, rank / 8 * 8, rank / 8 * 8 + 8));
        unsigned const sum = sum_of(lanes, &Lane::word, warp, warp + 32);
        EXPECT_EQ(results.team_of_32, sum);
        EXPECT_EQ(results.sum, sum);
        unsigned long long const wide_sum = sum_of(lanes, &Lane::wide, warp, warp + 32);
        EXPECT_EQ(results.wide_sum, wide_sum);
        EXPECT_EQ(results.exchanged, lanes[warp + (lane ^ 5)].wide);
        if (lane == 0) {
            EXPECT_EQ(results.in_first_lane, sum);
            EXPECT_EQ(results.wide_in_first_lane, wide_sum);
        }
        EXPECT_EQ(results.up_to, sum_of(lanes, &Lane::word, warp, rank + 1));
        EXPECT_EQ(results.word_up_to, sum_of(lanes, &Lane::word, warp, rank + 1));
        EXPECT_EQ(results.wide_up_to, sum_of(lanes, &Lane::wide, warp, rank + 1));
        for (unsigned i = 0; i < 3; ++i) {
            unsigned const first = rank / widths[i] * widths[i];
            Map before = {1, 0};
            Map whole = {1, 0};
            Map sums = {0, 0};
            for (unsigned j = first; j < first + widths[i]; ++j) {
                if (j == rank)
                    before = whole;
                whole = compose(whole, lanes[j].map);
                sums = {sums.factor + lanes[j].map.factor, sums.term + lanes[j].map.term};
            }
            expect_map(results.before[i], before);
            expect_map(results.all[i], whole);
            expect_map(results.sums[i], sums);
        }
    }
}

}  // namespace lockstep::warp_operations
