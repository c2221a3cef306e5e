#pragma once
// Checks of the library's sections that hold on every machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/object_layout/section_checks.hpp"

namespace lockstep::object_layout::tests {

// The same tree as the library's reduction: tiles of 1024, four elements per lane, then repeated halving.
inline float folded(std::vector<float> values) {
    do {
        std::vector<float> next;
        for (std::size_t first = 0; first < values.size(); first += 1024) {
            std::vector<float> lanes(256, 0.0f);
            for (std::size_t lane = 0; lane < 256; ++lane) {
                for (std::size_t part = 0; part < 4; ++part) {
                    std::size_t const i = first + lane + 256 * part;
                    lanes[lane] = lanes[lane] + (i < values.size() ? values[i] : 0.0f);
                }
            }
            for (std::size_t half = 128; half > 0; half /= 2) {
                for (std::size_t lane = 0; lane < half; ++lane)
                    lanes[lane] = lanes[lane] + lanes[lane + half];
            }
            next.push_back(lanes[0]);
        }
        values = next;
    } while (values.size() > 1);
    return values.empty() ? 0 : values[0];
}

inline void check_sections(SectionResults (*run)(std::vector<unsigned> const&)) {
    for (std::size_t const size : {0u, 1u, 31u, 32u, 33u, 255u, 256u, 1023u, 1025u, 3000u}) {
        SCOPED_TRACE(size);
        std::vector<unsigned> values(size);
        for (std::size_t i = 0; i < size; ++i)
            values[i] = static_cast<unsigned>(i * 7919 % 1009);
        SectionResults const results = run(values);
        std::vector<unsigned> expected;
        std::vector<float> floats;
        for (unsigned const value : values) {
            expected.push_back(3 * value + 1);
            floats.push_back(static_cast<float>(3 * value + 1) * 0.1f);
        }
        EXPECT_TRUE(results.lazy);
        EXPECT_TRUE(results.unfused_same);
        EXPECT_EQ(results.mapped, expected);
        EXPECT_EQ(results.sum, std::accumulate(expected.begin(), expected.end(), 0u));
        EXPECT_EQ(results.least, size == 0 ? 0xffffffffu : *std::min_element(expected.begin(), expected.end()));
        EXPECT_EQ(results.float_sum, folded(floats));
        std::vector<unsigned> odd;
        std::copy_if(expected.begin(), expected.end(), std::back_inserter(odd), [](unsigned x) { return x % 2 == 1; });
        EXPECT_EQ(results.selected, odd);
        for (std::size_t i = 0; i < size; ++i)
            ASSERT_EQ(results.each[i], values[i] + 6);
    }
}

// Section 4.5: exactly the declared columns are sent, and exactly the written columns are fetched. Only cars have a
// velocity to send.
inline void check_transfers(TransferResults (*run)(bool)) {
    std::vector<std::string> const walking = {"Agent.progress", "Agent.street",  "Array.contents",   "Array.offset",
                                              "Array.size",     "Street.length", "Street.neighbors", "base array"};
    std::vector<std::string> driving = walking;
    driving.insert(driving.end(), {"Car.max_velocity", "Street.max_velocity"});
    std::sort(driving.begin(), driving.end());
    std::vector<std::string> const written = {"Agent.progress", "Agent.street"};
    for (bool const cars : {true, false}) {
        TransferResults const results = run(cars);
        EXPECT_EQ(results.sent, cars ? driving : walking);
        EXPECT_EQ(results.fetched, written);
        EXPECT_EQ(results.fetched_twice, written);
        EXPECT_EQ(results.progress_of_host, 7.0f);
        EXPECT_EQ(results.sent_again, (std::vector<std::string>{"Street.length"}));
    }
}

}  // namespace lockstep::object_layout::tests
