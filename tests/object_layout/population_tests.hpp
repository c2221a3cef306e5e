#pragma once
// Checks of records, class lists and populations that hold on every machine.

#include <gtest/gtest.h>

#include "tests/object_layout/population_checks.hpp"

namespace lockstep::object_layout::tests {

inline void check_records(RecordResults (*run)(std::string const&, unsigned)) {
    for (char const* const layout : {"columns", "rows", "rows64", "blocks8", "blocks32"}) {
        for (unsigned const count : {1u, 31u, 33u, 256u, 257u, 700u}) {
            SCOPED_TRACE(std::string(layout) + " " + std::to_string(count));
            RecordResults const results = run(layout, count);
            for (unsigned i = 0; i < count; ++i)
                ASSERT_EQ(results.words[i], i % 251 + i + i + 3 * i + i % 65521);
        }
    }
    EXPECT_EQ(run("columns", 1).bytes, 256 * (1 + 8 + 8 + 2));
    EXPECT_EQ(run("blocks32", 1).bytes, 256 * (1 + 8 + 8 + 2));
    EXPECT_EQ(run("rows", 1).bytes, 256 * 32) << "as a C++ structure: 1 + 7 of padding + 8 + 8 + 2 + 6";
    EXPECT_EQ(run("rows64", 1).bytes, 256 * 64);
}

inline void check_dispatch(DispatchResults (*run)(std::vector<unsigned> const&)) {
    DispatchResults const results = run({0, 1, 2, 1, 3, 0, 1000});
    EXPECT_EQ(results.by_switch, (std::vector<unsigned>{100, 2, 7, 6, 0xdead, 105, 0xdead}));
    EXPECT_EQ(results.by_table, results.by_switch);
    EXPECT_EQ(results.per_class, (std::vector<unsigned>{100, 101, 7, 7, 7, 7, 7}));
    EXPECT_EQ(results.of_one_class, (std::vector<unsigned>{0, 2, 4, 6, 8, 10, 12})) << "a unique class needs no tag";
}

inline void check_population(PopulationResults (*run)(std::vector<unsigned> const&)) {
    EXPECT_EQ(run({1, 0, 3, 1, 2}).values, (std::vector<unsigned>{1, 3, 301, 302, 4, 5, 501}));
    EXPECT_TRUE(run({0, 0, 0}).values.empty());
    for (unsigned const size : {1u, 255u, 256u, 1023u, 1024u, 1025u, 2500u}) {
        SCOPED_TRACE(size);
        std::vector<unsigned> successors(size);
        std::vector<unsigned> expected;
        for (unsigned id = 0; id < size; ++id) {
            successors[id] = id * 7919 % 5;
            for (unsigned which = 0; which < successors[id]; ++which)
                expected.push_back(which == 0 ? id + 1 : (id + 1) * 100 + which);
        }
        EXPECT_EQ(run(successors).values, expected);
    }
    PopulationResults const grown = run(std::vector<unsigned>(300, 9));
    EXPECT_EQ(grown.values.size(), 2700u);
    EXPECT_GE(grown.capacity, 2700u);
}

inline void check_over_objects(OverObjects (*run)(unsigned)) {
    for (unsigned const size : {0u, 1u, 3u, 33u, 1024u, 1025u, 5000u}) {
        SCOPED_TRACE(size);
        OverObjects const results = run(size);
        ASSERT_EQ(results.mapped.size(), size);
        unsigned sum = 0;
        std::vector<unsigned> even;
        for (unsigned id = 0; id < size; ++id) {
            EXPECT_EQ(results.mapped[id], 3 * id + 1);
            sum += 3 * id + 1;
            if (id % 2 == 0)
                even.push_back(id);
        }
        EXPECT_EQ(results.sum, sum);
        EXPECT_EQ(results.even, even);
    }
}

}  // namespace lockstep::object_layout::tests
