#pragma once
// Checks that apply to every limit's probe on every machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/bench/limits/kernel_limits.hpp"
#include "harness/bench/stopwatch.hpp"

namespace lockstep::limits {

// check() accepts one run and two runs, and rejects poisoned outputs.
inline void check_probe(Limit const& limit, Scale const& scale, bench::Stopwatch& stopwatch) {
    SCOPED_TRACE(limit.name);
    auto const probe = limit.make(scale);
    EXPECT_GT(probe->items(), 0);
    probe->reset();
    stopwatch.synchronize();
    // The timed launches of empty kernels write nothing, so their check() only tests that launches work.
    if (limit.name.rfind("launch", 0) != 0) {
        EXPECT_NE(probe->check(), "") << "poisoned outputs were accepted";
    }
    for (int runs = 1; runs <= 2; ++runs) {
        probe->reset();
        stopwatch.synchronize();
        for (int run = 0; run < runs; ++run) {
            probe->run(stopwatch.stream());
        }
        stopwatch.synchronize();
        EXPECT_EQ(probe->check(), "") << runs << " runs";
    }
}

inline bool has_limit(std::vector<Limit> const& limits, std::string const& name) {
    return std::any_of(limits.begin(), limits.end(), [&](Limit const& limit) { return limit.name == name; });
}

inline void check_names(std::vector<Limit> const& limits) {
    std::set<std::string> names;
    for (Limit const& limit : limits) {
        EXPECT_TRUE(names.insert(limit.name).second) << limit.name << " twice";
        EXPECT_FALSE(limit.item.empty()) << limit.name;
        EXPECT_FALSE(limit.description.empty()) << limit.name;
    }
}

}  // namespace lockstep::limits
