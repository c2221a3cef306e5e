// Every variant equals the reference bit for bit for every state, in every layout, geometry, range and order of lanes,
// and evaluates every enabled value exactly once.

#include <gtest/gtest.h>

#include "harness/simt/emulator/options.hpp"
#include "tests/rule_interpreter/variants.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

using Words = std::vector<std::string>;

// ThreadSanitizer slows the tests down by a factor of about 50, so it gets fewer cases of each kind.
#if defined(__SANITIZE_THREAD__)
Words some(Words const&, Words const& few) { return few; }
constexpr bool thorough = false;
#else
Words some(Words const& all, Words const&) { return all; }
constexpr bool thorough = true;
#endif

class Agreement : public lockstep::tests::OnMachines {
protected:
    // Returns false if the variant does not support these axes.
    bool agrees(Values const& values, std::uint64_t first_unit = 0) {
        if (!thorough && GetParam()->name == "auto")
            return false;
        bench::Problem asked = problem(values);
        asked.first_unit = first_unit;
        std::unique_ptr<bench::Case> const made = lockstep::tests::run_and_compare(experiment(), *GetParam(), asked);
        if (made == nullptr)
            return false;
        bench::Metrics const metrics = made->metrics();
        if (metrics.count("values_miscounted") != 0) {
            EXPECT_EQ(metrics.at("values_miscounted"), 0);
            double enabled = 0;
            for (bench::UnitResult const& result : made->results(all_units(asked)))
                enabled += result.back();
            double const evaluations = enabled * static_cast<double>(asked.axes.integer("steps"));
            EXPECT_EQ(metrics.at("evaluations"), evaluations);
            double const products = evaluations * static_cast<double>(asked.axes.integer("load"));
            EXPECT_EQ(metrics.at("paper_operations"),
                      products * paper_operations(shape_from_string(asked.axes.text("shape"))));
        }
        return true;
    }
};

TEST_P(Agreement, AtTheEdgesOfWarpsInEveryLayout) {
    for (std::string const& layout : some({"A", "B", "C", "C_group", "C_divided"}, {"A", "C_group"})) {
        for (std::string const& range : some({"1", "31", "32", "33", "300"}, {"33"}))
            agrees({{"states", "5"}, {"range", range}, {"layout", layout}, {"load", "3"}});
        for (std::string const& states : some({"1", "33"}, {"1"}))
            agrees({{"states", states}, {"range", "70"}, {"layout", layout}, {"load", "2"}, {"shape", "1x1x1"}});
    }
}

// In layout B a warp of the queue has 32 states.
TEST_P(Agreement, AtTheEdgesOf32StatesInLayoutB) {
    for (std::string const& states : some({"31", "32", "33", "70"}, {"33"})) {
        for (std::string const& range : some({"1", "3", "4", "5", "37"}, {"5"}))
            agrees({{"states", states}, {"range", range}, {"layout", "B"}, {"load", "2"}});
        agrees({{"states", states}, {"range", "67"}, {"layout", "B"}, {"load", "1"}, {"enabled", "99"}});
    }
}

TEST_P(Agreement, WithNothingAndWithEverythingEnabled) {
    for (char const* const shape : {"1x1x1", "2x2x2"}) {
        for (std::string const& enabled : some({"0", "1", "50", "99", "100"}, {"0", "100"}))
            agrees({{"states", "3"}, {"range", "200"}, {"enabled", enabled}, {"shape", shape}, {"load", "1"}});
        agrees({{"states", "2"}, {"range", "64"}, {"divergence", "1"}, {"shape", shape}});
        agrees({{"states", "2"}, {"range", "64"}, {"divergence", "3"}, {"shape", shape}});
    }
}

TEST_P(Agreement, OverTheLargestRanges) {
    if (!thorough)
        return;
    agrees({{"states", "2"}, {"range", "4095"}, {"load", "1"}, {"shape", "1x1x1"}});
    agrees({{"states", "1"}, {"range", "65535"}, {"load", "0"}, {"shape", "1x1x1"}, {"enabled", "3"}});
}

TEST_P(Agreement, WithEveryShapeAndLoad) {
    for (std::string const& shape : some({"1x1x1", "2x2x2", "4x4x4", "8x8x8"}, {"2x2x2"})) {
        for (std::string const& load : some({"0", "1", "11", "20", "23", "61", "223"}, {"23"}))
            agrees({{"states", "2"}, {"range", "40"}, {"shape", shape}, {"load", load}});
    }
    for (std::string const& shape : some({"1x4x4", "2x4x8", "4x2x1", "4x8x2"}, {"4x2x1"})) {
        for (std::string const& load : some({"0", "1", "3", "8", "23", "41"}, {"23"}))
            agrees({{"states", "2"}, {"range", "33"}, {"shape", shape}, {"load", load}});
    }
}

// Only `cached` depends on the size of a state: one warp or several, one state or several in a block, and words without
// a result that stay unset.
TEST_P(Agreement, WithStatesOfEverySizeAndSeveralPasses) {
    for (std::string const& range : some({"1", "31", "32", "33", "1000"}, {"33"})) {
        for (char const* const rules : {"synthetic", "several", "accesses"}) {
            if (range == "1000" && GetParam()->name != "cached")
                continue;
            agrees({{"rules", rules}, {"states", "9"}, {"range", range}, {"steps", "2"}, {"load", "2"}});
        }
    }
    for (std::string const& warps : some({"1", "2", "16", "64"}, {"2"}))
        agrees({{"rules", "several"}, {"states", "3"}, {"range", "150"}, {"warps_per_state", warps}, {"load", "1"}});
    if (thorough && GetParam()->name == "cached")
        agrees({{"states", "2"}, {"range", "29000"}, {"load", "0"}, {"shape", "1x1x1"}});
}

TEST_P(Agreement, WithSeveralRulesWhoseSideEffectsShow) {
    for (std::string const& steps : some({"1", "3"}, {"2"})) {
        for (std::string const& range : some({"1", "33", "160"}, {"33"}))
            agrees({{"rules", "several"}, {"states", "6"}, {"range", range}, {"steps", steps}, {"load", "3"}});
    }
}

// Jobs large enough for several instances per thread. Only `fused` depends on that: rows that start at any multiple of
// a word, states shorter than a warp, and rules whose ranges differ, or have one instance.
TEST_P(Agreement, WithSeveralInstancesPerThread) {
    if (!thorough || GetParam()->name != "fused")
        return;
    for (char const* const range : {"1000", "1001", "1002", "1003"})
        agrees({{"rules", "several"}, {"states", "263"}, {"range", range}, {"load", "23"}, {"enabled", "40"}});
    agrees({{"rules", "several"}, {"states", "263"}, {"range", "1001"}, {"load", "2"}, {"steps", "3"}});
    agrees({{"rules", "several"}, {"states", "5"}, {"range", "65535"}, {"load", "0"}, {"block", "96"}});
    agrees({{"rules", "several"}, {"states", "3500"}, {"range", "77"}, {"load", "41"}});
    agrees({{"rules", "several"}, {"states", "3500"}, {"range", "76"}, {"load", "41"}, {"steps", "2"}});
    agrees({{"rules", "several"}, {"states", "5"}, {"range", "65536"}, {"load", "1"}, {"block", "96"}});
    agrees({{"rules", "several"}, {"states", "5"}, {"range", "65536"}, {"load", "19"}, {"block", "160"}});
    // Two states side by side: an even number of states, and an odd one whose last state is alone.
    for (char const* const load : {"0", "1", "20", "39"}) {
        for (char const* const states : {"262", "263"}) {
            for (char const* const steps : {"1", "2"})
                agrees({{"rules", "several"}, {"states", states}, {"range", "1004"}, {"load", load}, {"steps", steps}});
        }
    }
    agrees({{"rules", "several"}, {"states", "66000"}, {"range", "4"}, {"load", "1"}});
    agrees({{"rules", "several"}, {"states", "66000"}, {"range", "5"}, {"load", "1"}});
    for (char const* const layout : {"A", "C"}) {
        for (char const* const shape : {"1x1x1", "2x2x2"})
            agrees({{"states", "263"}, {"range", "1001"}, {"load", "1"}, {"shape", shape}, {"layout", layout}});
    }
}

// Only `flat_queue` and `refill_queue` depend on it: ranges at the edges of a vector of four, of a tile and of a warp's
// part, and parts that end within a state.
TEST_P(Agreement, AtTheEdgesOfVectorsAndTiles) {
    std::string const& name = GetParam()->name;
    if (name != "flat_queue" && name != "refill_queue" && name != "auto")
        return;
    char const* const rules = name == "refill_queue" ? "several" : "synthetic";
    for (std::string const& range :
         some({"4", "12", "16", "20", "32", "36", "124", "128", "132", "256", "260", "508", "516"}, {"36"})) {
        for (std::string const& states : some({"1", "7", "71"}, {"7"}))
            agrees({{"rules", rules}, {"states", states}, {"range", range}, {"load", "13"}});
    }
    if (!thorough)
        return;
    for (char const* const enabled : {"0", "1", "10", "50", "99", "100"}) {
        agrees({{"rules", rules}, {"states", "9"}, {"range", "772"}, {"enabled", enabled}, {"load", "21"}});
        agrees({{"rules", rules}, {"states", "3"}, {"range", "200"}, {"enabled", enabled}, {"load", "81"}});
    }
    for (char const* const range : {"2044", "2048", "2052", "65532", "65536"})
        agrees({{"rules", rules}, {"states", "3"}, {"range", range}, {"load", "1"}, {"steps", "2"}});
    // As many values per warp as there are: several states, and a part of one.
    agrees({{"rules", rules}, {"states", "9001"}, {"range", "64"}, {"load", "1"}, {"enabled", "3"}});
    agrees({{"rules", rules}, {"states", "1100"}, {"range", "996"}, {"load", "1"}, {"enabled", "3"}});
}

TEST_P(Agreement, WithManyLoadsAndStores) {
    for (char const* const layout : {"A", "C"}) {
        for (std::string const& accesses : some({"1", "4", "64"}, {"4"}))
            agrees(
                {{"rules", "accesses"}, {"states", "3"}, {"range", "50"}, {"accesses", accesses}, {"layout", layout}});
    }
}

TEST_P(Agreement, WithGroupsAndBlocksOfAnySize) {
    for (std::string const& group : some({"1", "3", "8"}, {"3"})) {
        agrees({{"states", "11"}, {"range", "65"}, {"states_per_group", group}, {"load", "1"}});
        agrees({{"states", "9"}, {"range", "40"}, {"states_per_group", group}, {"layout", "C_group"}});
    }
    if (thorough)
        agrees({{"states", "33"}, {"range", "33"}, {"states_per_group", "32"}, {"load", "1"}});
    for (std::string const& block : some({"32", "64", "1024"}, {"64"}))
        agrees({{"states", "3"},
                {"range", thorough ? "1100" : "150"},
                {"block", block},
                {"load", "1"},
                {"shape", "1x1x1"}});
    for (std::string const& warps : some({"1", "2", "4", "16"}, {"2"}))
        agrees({{"states", "2"}, {"range", "700"}, {"warps_per_state", warps}, {"load", "1"}, {"shape", "1x1x1"}});
    for (std::string const& several : some({"2", "3", "16"}, {"3"})) {
        for (std::string const& range : some({"1", "33", "129"}, {"33"}))
            agrees({{"states", "7"}, {"range", range}, {"states_per_warp", several}, {"load", "1"}});
        agrees({{"rules", "several"}, {"states", "7"}, {"range", "33"}, {"states_per_warp", several}, {"steps", "2"}});
    }
}

TEST_P(Agreement, OnSudokuToTheFixedPoint) {
    // 11 grids: more than a warp of bit boards has.
    agrees({{"rules", "sudoku"}, {"states", thorough ? "11" : "1"}, {"clues", "28"}});
    for (char const* const layout : {"A", "C"}) {
        for (std::string const& clues : some({"0", "26", "36", "81"}, {"36"}))
            agrees({{"rules", "sudoku"}, {"states", thorough ? "9" : "1"}, {"clues", clues}, {"layout", layout}});
    }
    if (!thorough)
        return;
    agrees({{"rules", "sudoku"}, {"states", "3"}, {"clues", "30"}, {"bound", "2"}});
    agrees({{"rules", "sudoku"}, {"states", "3"}, {"clues", "30"}, {"until", "activity"}});
    agrees({{"rules", "sudoku"}, {"states", "3"}, {"clues", "30"}, {"until", "cycle"}});
    agrees({{"rules", "sudoku"}, {"states", "3"}, {"clues", "30"}, {"until", "cycle"}, {"bound", "2"}});
}

TEST_P(Agreement, OnSearchUntilEveryPuzzleIsDecided) {
    for (std::string const& clues : some({"22", "26", "40", "81"}, {"40"}))
        agrees({{"rules", "search"}, {"states", thorough ? "13" : "2"}, {"clues", clues}});
    agrees({{"rules", "search"}, {"states", "2"}, {"puzzles", "minimal"}});
}

// A state does not depend on the other states of the problem. Sharding relies on this.
TEST_P(Agreement, FromAnyFirstState) {
    agrees({{"states", "3"}, {"range", "50"}}, (std::uint64_t{1} << 33) + 5);
    agrees({{"rules", "sudoku"}, {"states", "2"}}, 1000);
}

TEST_P(Agreement, InEveryOrderOfLanes) {
    if (GetParam()->machine != bench::Machine::emulator || !thorough)
        return;
    using simt::emulator::LaneOrder;
    for (LaneOrder const order : {LaneOrder::descending, LaneOrder::random}) {
        simt::emulator::Options options;
        options.order = order;
        options.seed = 7;
        simt::emulator::ScopedOptions const scope(options);
        agrees({{"states", "5"}, {"range", "300"}, {"load", "1"}});
        agrees({{"rules", "several"}, {"states", "3"}, {"range", "160"}, {"steps", "2"}, {"load", "3"}});
        if (GetParam()->name == "fused")
            agrees({{"rules", "several"}, {"states", "67"}, {"range", "4000"}, {"steps", "2"}, {"load", "3"}});
        agrees({{"rules", "sudoku"}, {"states", "3"}, {"clues", "32"}});
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, Agreement, testing::ValuesIn(variants_under_test()),
                         [](auto const& of) { return test_name(*of.param); });

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
