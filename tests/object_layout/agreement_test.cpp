// Every layout, order, dispatch and machine, and every other program, computes the final state of the plain objects bit
// for bit in both modes.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "harness/bench/atomic_file.hpp"
#include "harness/simt/emulator/options.hpp"
#include "tests/object_layout/variants.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::object_layout::tests {
namespace {

using Texts = std::vector<char const*>;

constexpr bool less = lockstep::tests::under_thread_sanitizer;

class Agreement : public lockstep::tests::OnMachines {
protected:
    // If the variant supports these axes, every unit equals the reference.
    void agrees(Values const& values, std::uint64_t first_unit = 0, std::uint64_t units = ~std::uint64_t{0}) {
        bench::Problem asked = problem(shortened(values));
        asked.first_unit = first_unit;
        asked.units = std::min(units, asked.units);
        lockstep::tests::run_and_compare(experiment(), *GetParam(), asked, 2);
    }

    // Some variants launch a kernel per tick.
    static Values shortened(Values values) {
        auto const ticks = values.find("ticks");
        if (lockstep::tests::under_compute_sanitizer() && ticks != values.end() && std::stoul(ticks->second) > 16)
            ticks->second = "16";
        return values;
    }

    // Every layout and order in both modes.
    void agrees_everywhere(Values values) {
        unsigned combination = 0;
        for (char const* const mode : {"live", "faithful"}) {
            for (char const* const layout : {"soa", "aos", "aos_padded", "aosoa"}) {
                for (char const* const order : {"shuffled", "jobs", "sorted"}) {
                    // Under the sanitizers of races and accesses, each layout is tested with one order.
                    bool const one = combination % 3 == (combination / 3 % 4 + 2) % 3;
                    ++combination;
                    if (!one && lockstep::tests::accesses_are_slow())
                        continue;
                    values["mode"] = mode;
                    values["layout"] = layout;
                    values["order"] = order;
                    agrees(values);
                }
            }
        }
    }
};

TEST_P(Agreement, InEveryLayoutOrderAndMode) {
    agrees_everywhere({{"streets", "20"}, {"cars", "30"}, {"pedestrians", "70"}, {"ticks", "60"}});
    agrees_everywhere({{"streets", "3"}, {"cars", "9"}, {"pedestrians", "5"}, {"ticks", "101"}, {"weather", "bad"}});
}

TEST_P(Agreement, AtTheEdgesOfWarps) {
    for (auto const& [agents, ticks] : {std::pair{"1", "5"}, {"31", "3"}, {"32", "1"}, {"33", "6"}, {"33", "0"}}) {
        agrees_everywhere({{"streets", "5"}, {"agents", agents}, {"ticks", ticks}});
    }
    agrees_everywhere({{"streets", "5"}, {"cars", "0"}, {"pedestrians", "0"}});
}

TEST_P(Agreement, WithAClassAbsent) {
    agrees_everywhere({{"streets", "5"}, {"cars", "0"}, {"pedestrians", "40"}, {"ticks", "30"}});
    agrees_everywhere({{"streets", "5"}, {"cars", "40"}, {"pedestrians", "0"}, {"ticks", "30"}});
    agrees_everywhere({{"streets", "5"}, {"agents", "40"}, {"types", "1"}, {"ticks", "30"}});
}

TEST_P(Agreement, WithManyClasses) {
    for (char const* const types : {"3", "4", "17", "32"}) {
        for (char const* const order : {"shuffled", "jobs", "sorted"}) {
            agrees({{"streets", "50"}, {"agents", "300"}, {"types", types}, {"ticks", "40"}, {"order", order}});
        }
    }
}

TEST_P(Agreement, WithOtherBlocksAndObjectSizes) {
    for (char const* const block : less ? Texts{"32", "96"} : Texts{"32", "96", "640", "1024"})
        agrees({{"streets", "50"}, {"agents", less ? "200" : "1100"}, {"ticks", "5"}, {"block", block}});
    for (char const* const bytes : {"16", "24", "72", "128"}) {
        agrees({{"streets", "9"}, {"agents", "70"}, {"ticks", "9"}, {"layout", "aos_padded"}, {"object_bytes", bytes}});
    }
}

// Warps of one class and of both, and agents that turn at the end of a street without neighbours.
TEST_P(Agreement, InOneTick) {
    for (char const* const agents : less ? Texts{"1", "129"} : Texts{"0", "1", "127", "128", "129", "1000"})
        agrees({{"streets", "20"}, {"agents", agents}, {"ticks", "1"}, {"weather", "bad"}, {"sections", "3"}});
    for (auto const& [cars, pedestrians] : {std::pair{"128", "128"}, {"256", "129"}, {"0", "256"}, {"200", "0"}})
        agrees({{"streets", "9"}, {"cars", cars}, {"pedestrians", pedestrians}, {"ticks", "1"}, {"block", "96"}});
    agrees({{"streets", "20"}, {"agents", "1000"}, {"ticks", "1"}}, 90, less ? 111 : 511);
    if (GetParam()->unsupported_reason(problem({{"ticks", "1"}}).axes).empty()) {
        std::string const network = testing::TempDir() + "short_streets.txt";
        bench::write_file_atomically(network, "a b 3 61\nb c 0.5 7\nc a 7 1000\nb a 1 33\nc d 0.01 90\n");
        agrees({{"network", network}, {"cars", "300"}, {"pedestrians", "300"}, {"ticks", "1"}});
    }
}

// The pedestrians 105157625 and 1259879290 of seed 7 reject the first word of tick 0. So their next street is that of a
// later draw, and every pedestrian leaves its street in this tick.
TEST_P(Agreement, WithARejectedWord) {
    Values values = {{"cars", "0"}, {"pedestrians", "2147483647"}, {"ticks", "1"}};
    if (!GetParam()->unsupported_reason(problem(values).axes).empty())
        return;
    values["network"] = testing::TempDir() + "tiny_streets.txt";
    bench::write_file_atomically(values["network"], "a b 0.01 61\nb a 0.01 7\nb a 0.02 9\nb a 0.03 5\na b 0.01 60\n");
    for (std::uint64_t const first : {105157600u, 1259879168u})
        agrees(values, first, 256);
    // Pedestrian 2031858801 rejects its word of tick 1, 634176867 that of tick 2, and 759970137 that of tick 3.
    values["ticks"] = "4";
    values["launch_ticks"] = "1";
    for (std::uint64_t const first : {2031858688u, 634176768u, 759970048u})
        agrees(values, first, 256);
}

// A pedestrian's squared progress gets so large that the limits of a window would be rounded. Both entries of seed 6
// send it ahead, by different steps.
TEST_P(Agreement, OnAnEndlessStreet) {
    Values values = {{"cars", "0"}, {"pedestrians", "3"}, {"ticks", "90000"}, {"mode", "faithful"}};
    if (less || GetParam()->name.rfind("registers", 0) != 0)
        return;
    values["network"] = testing::TempDir() + "endless_street.txt";
    bench::write_file_atomically(values["network"], "a a 8000 61\na a 8000 61\n");
    if (!GetParam()->unsupported_reason(problem(values).axes).empty())
        return;
    bench::Problem asked = problem(values);
    asked.seed = 6;
    lockstep::tests::run_and_compare(experiment(), *GetParam(), asked, 2);
}

// Streets that exceed a block's shared memory.
TEST_P(Agreement, OnALargeNetwork) {
    for (char const* const mode : {"live", "faithful"})
        agrees({{"streets", "9000"}, {"agents", "200"}, {"ticks", "50"}, {"mode", mode}});
}

// Cars that pass several binades of progress and streets without an entry in the table of crossings.
TEST_P(Agreement, OnLongStreets) {
    if (GetParam()->unsupported_reason(problem({}).axes).empty()) {
        std::string const network = testing::TempDir() + "long_streets.txt";
        bench::write_file_atomically(network, "a b 300 61\nb c 5.5 0.7\nc a 17 1000\nb a 1000 33\nc d 0.01 90\n");
        for (char const* const mode : {"live", "faithful"}) {
            for (char const* const ticks : {"3", "16", "23", less ? "100" : "2000"})
                agrees({{"network", network}, {"agents", "40"}, {"ticks", ticks}, {"mode", mode}});
        }
    }
}

// An agent does not depend on the other agents of the problem. Sharding relies on this.
TEST_P(Agreement, FromAnyFirstAgent) {
    for (char const* const order : {"shuffled", "jobs", "sorted"})
        agrees({{"streets", "20"}, {"agents", "500"}, {"ticks", "40"}, {"order", order}}, 90, 111);
}

// Launches of one tick and of several, which share calls of Philox, in warps of one class and of both.
TEST_P(Agreement, InSeveralLaunches) {
    for (char const* const launch_ticks : less ? Texts{"3"} : Texts{"1", "3", "100"}) {
        agrees_everywhere({{"streets", "9"}, {"agents", "70"}, {"ticks", "10"}, {"launch_ticks", launch_ticks}});
        agrees({{"streets", "9"}, {"agents", "70"}, {"ticks", "0"}, {"launch_ticks", launch_ticks}});
        for (char const* const types : {"1", "4"})
            agrees(
                {{"streets", "9"}, {"agents", "70"}, {"types", types}, {"ticks", "6"}, {"launch_ticks", launch_ticks}});
        for (auto const& [cars, pedestrians] : {std::pair{"128", "256"}, {"128", "0"}, {"200", "190"}})
            agrees({{"streets", "9"},
                    {"cars", cars},
                    {"pedestrians", pedestrians},
                    {"ticks", "9"},
                    {"weather", "bad"},
                    {"launch_ticks", launch_ticks}});
        agrees({{"streets", "20"}, {"agents", "1000"}, {"ticks", "6"}, {"launch_ticks", launch_ticks}}, 90,
               less ? 111 : 511);
    }
}

// Both sides of the numbers of ticks at which `auto` chooses another variant for few agents.
TEST_P(Agreement, WithFewAndManyTicks) {
    if (GetParam()->name != "auto" && GetParam()->name != "registers_anywhere")
        return;
    for (char const* const ticks : {"1", "2", "3", "5", "6", "15", "16"}) {
        for (char const* const types : {"1", "2", "3", "5", "16"}) {
            for (char const* const order : {"shuffled", "jobs", "sorted"})
                agrees({{"streets", "9"}, {"agents", "300"}, {"types", types}, {"ticks", ticks}, {"order", order}});
        }
    }
    for (char const* const ticks : {"63", "64"})
        agrees({{"streets", "9"}, {"agents", "300"}, {"types", "4"}, {"ticks", ticks}, {"order", "jobs"}});
    for (char const* const ticks : {"4", "5"})
        agrees({{"streets", "9"}, {"agents", "300"}, {"ticks", ticks}, {"layout", "aos"}, {"order", "shuffled"}});
}

// Numbers of ticks around multiples of the delay, where every tick ends a street, where few do, and where none does.
TEST_P(Agreement, WithDelayedBranches) {
    if (GetParam()->name != "delayed")
        return;
    std::string const network = testing::TempDir() + "delays.txt";
    for (char const* const streets :
         {"a b 0.01 61\nb a 0.02 7\n", "a b 0.01 61\nb a 9 40\nb c 3 85\n", "a a 8000 61\n"}) {
        bench::write_file_atomically(network, streets);
        for (char const* const ticks : {"1", "3", "4", "5", "7", "8", "9", "33"}) {
            for (char const* const agents : {"1", "33", "64", "100"})
                agrees({{"network", network}, {"agents", agents}, {"ticks", ticks}, {"order", "shuffled"}});
            agrees({{"network", network}, {"agents", "90"}, {"types", "5"}, {"ticks", ticks}, {"order", "jobs"}});
            agrees({{"network", network}, {"agents", "70"}, {"ticks", ticks}, {"mode", "faithful"}});
        }
    }
}

// The library's sections compute the result of one launch, however the ticks are divided into sections.
TEST_P(Agreement, InSeveralSections) {
    for (char const* const sections : {"2", "7"}) {
        for (char const* const order : {"shuffled", "jobs", "sorted"}) {
            agrees({{"streets", "20"}, {"agents", "100"}, {"ticks", "20"}, {"sections", sections}, {"order", order}});
        }
    }
}

// A section sends the fields that its method declares and fetches those that it changes; the base array keeps its
// order.
TEST_P(Agreement, SectionsTransferDeclaredFields) {
    bench::Variant const& variant = *GetParam();
    if (variant.name.rfind("sections_", 0) != 0)
        return;
    for (auto const& [mode, fields] : {std::pair("live", 6), std::pair("faithful", 7)}) {
        bench::Problem const asked =
            problem({{"streets", "20"}, {"agents", "100"}, {"ticks", "20"}, {"mode", mode}, {"order", "shuffled"}});
        std::unique_ptr<bench::Case> const made = variant.make(asked);
        made->reset();
        made->run({});
        std::vector<std::uint64_t> units(asked.units);
        std::iota(units.begin(), units.end(), std::uint64_t{0});
        made->results(units);
        bench::Metrics const metrics = made->metrics();
        EXPECT_EQ(metrics.at("fields_sent"), fields);
        EXPECT_EQ(metrics.at("fields_of_classes"), 7);
        EXPECT_EQ(metrics.at("columns_fetched"), 2);
        EXPECT_EQ(metrics.at("columns_changed"), 2);
        EXPECT_EQ(metrics.at("elements_moved"), 0);
    }
}

TEST_P(Agreement, OfJobArrays) {
    for (char const* const elements : {"0", "1", "31", "32", "33", "5000"}) {
        for (char const* const types : {"1", "2", "3", "8", "9", "257", "1000"})
            agrees({{"program", "jobs"}, {"elements", elements}, {"types", types}});
    }
}

TEST_P(Agreement, OfTracedObjects) {
    agrees({{"program", "tracing"}, {"streets", "50"}, {"cars", "40"}, {"pedestrians", "160"}});
    agrees({{"program", "tracing"}, {"streets", "3000"}, {"cars", "10"}, {"pedestrians", "1"}});
    agrees({{"program", "tracing"}, {"streets", "1"}, {"cars", "0"}, {"pedestrians", "33"}});
    agrees({{"program", "tracing"}, {"streets", "4"}, {"cars", "5"}, {"pedestrians", "0"}});
}

TEST_P(Agreement, OfChainsOfMaps) {
    for (char const* const chain : less ? Texts{"1", "4"} : Texts{"1", "2", "3", "4", "8"}) {
        for (char const* const elements : {"0", "1", "255", "256", "1000"})
            agrees({{"program", "maps"}, {"elements", elements}, {"chain", chain}});
    }
}

TEST_P(Agreement, OfBodies) {
    for (char const* const bodies : less ? Texts{"1", "33", "70"} : Texts{"0", "1", "33", "70", "257"})
        agrees({{"program", "bodies"}, {"elements", bodies}, {"ticks", bodies == std::string("257") ? "1" : "3"}});
    agrees({{"program", "bodies"}, {"elements", "5"}, {"ticks", "0"}});
    // Several tiles, and on the emulator several chunks of tiles.
    bool const has_tiles = GetParam()->name.rfind("bodies_tiles", 0) == 0;
    Texts const sizes = less                         ? Texts{has_tiles ? "1100" : "300"}
                        : lockstep::tests::sanitized ? Texts{"1100"}
                                                     : Texts{"513", "1100", "2050"};
    for (char const* const bodies : sizes)
        agrees({{"program", "bodies"}, {"elements", bodies}, {"ticks", "1"}});
}

// Populations of several tiles, of none, and of one family that may die out.
TEST_P(Agreement, OfFamilies) {
    for (char const* const families :
         less ? Texts{"0", "1", "33", "300"} : Texts{"0", "1", "33", "256", "1025", "3000"}) {
        for (char const* const ticks : less ? Texts{"1", "7"} : Texts{"0", "1", "12"})
            agrees({{"program", "families"}, {"elements", families}, {"ticks", ticks}});
    }
    agrees({{"program", "families"}, {"elements", "500"}, {"ticks", "5"}}, 90, 111);
}

// Seas of one cell and of two, of odd numbers, and of several tiles.
TEST_P(Agreement, OfFishAndSharks) {
    for (char const* const cells :
         less ? Texts{"0", "1", "2", "33", "200"} : Texts{"0", "1", "2", "33", "1025", "2500"}) {
        for (char const* const ticks : less ? Texts{"1", "7"} : Texts{"0", "1", "15"})
            agrees({{"program", "wator"}, {"elements", cells}, {"ticks", ticks}});
    }
    // Enough cells for the reference to use several cores.
    if (GetParam()->machine != bench::Machine::emulator)
        agrees({{"program", "wator"}, {"elements", "20000"}, {"ticks", "5"}});
}

TEST_P(Agreement, OfAnInfection) {
    for (char const* const people : less ? Texts{"0", "1", "33", "200"} : Texts{"0", "1", "33", "300", "1500"}) {
        for (auto const& [streets, ticks] : {std::pair{"1", "0"}, {"1", "3"}, {"7", less ? "3" : "30"}})
            agrees({{"program", "infection"}, {"elements", people}, {"streets", streets}, {"ticks", ticks}});
    }
}

// Empty roads, and roads on which every cell has a vehicle.
TEST_P(Agreement, OfVehiclesThatSeeOneAnother) {
    for (char const* const vehicles : less ? Texts{"1", "33"} : Texts{"0", "1", "33", "90", "200"})
        agrees({{"program", "nasch"}, {"elements", vehicles}, {"streets", "20"}, {"ticks", less ? "9" : "30"}});
    std::string const network = testing::TempDir() + "roads.txt";
    bench::write_file_atomically(network, "a b 4 61\nb c 5.5 7\nc a 0.5 10\nc d 3 9\n");
    for (char const* const vehicles : less ? Texts{"6", "13"} : Texts{"1", "6", "12", "13"})
        agrees({{"program", "nasch"}, {"elements", vehicles}, {"network", network}, {"ticks", less ? "9" : "40"}});
}

TEST_P(Agreement, InEveryOrderOfLanes) {
    if (GetParam()->machine != bench::Machine::emulator)
        return;
    using simt::emulator::LaneOrder;
    for (LaneOrder const order : {LaneOrder::descending, LaneOrder::random}) {
        simt::emulator::Options options;
        options.order = order;
        options.seed = 7;
        simt::emulator::ScopedOptions const scope(options);
        agrees_everywhere({{"streets", "20"}, {"agents", "50"}, {"ticks", less ? "5" : "20"}});
        agrees({{"program", "wator"}, {"elements", "150"}, {"ticks", "5"}});
        agrees({{"program", "infection"}, {"elements", "150"}, {"streets", "2"}, {"ticks", "5"}});
        agrees({{"program", "nasch"}, {"elements", "150"}, {"streets", "20"}, {"ticks", "5"}});
    }
}

// Negative control: the compared results differ if the seed, the mode or the weather differs.
TEST_P(Agreement, FailsForOtherProblems) {
    bench::Variant const& variant = *GetParam();
    Values const values = {{"streets", "20"}, {"agents", "100"}, {"ticks", "40"}};
    if (!variant.unsupported_reason(problem(values).axes).empty())
        return;
    for (char const* const other : {"seed", "mode", "weather"}) {
        bench::Problem asked = problem(values);
        bench::Problem const right = asked;
        if (std::string(other) == "seed") {
            asked.seed = 8;
        } else {
            asked.axes.set(other, std::string(other) == "mode" ? "faithful" : "bad");
        }
        if (!variant.unsupported_reason(asked.axes).empty())
            continue;
        std::unique_ptr<bench::Case> const made = variant.make(asked);
        made->reset();
        made->run({});
        std::vector<std::uint64_t> units(asked.units);
        std::iota(units.begin(), units.end(), std::uint64_t{0});
        std::vector<bench::UnitResult> const results = made->results(units);
        unsigned same = 0;
        for (std::uint64_t const unit : units)
            same += results[unit] == experiment().reference("objects").unit(right, unit) ? 1 : 0;
        EXPECT_LT(same, asked.units) << other;
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, Agreement, testing::ValuesIn(variants_under_test()),
                         [](auto const& of) { return test_name(*of.param); });

}  // namespace
}  // namespace lockstep::object_layout::tests
