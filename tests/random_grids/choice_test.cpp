// What `auto` chooses without trials: names that exist, workloads that they support, and the fastest of an H200's rows.

#include "common/random_grids/choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/bench/error.hpp"
#include "harness/cli/variant_choice.hpp"
#include "kernels/random_grids/table_variants.hpp"
#include "tests/random_grids/variants.hpp"

namespace lockstep::random_grids::emulator {
void add_auto(bench::Experiment& experiment);
}

namespace lockstep::random_grids::tests {
namespace {

bench::Variant const& automatic(bench::Experiment const& of = experiment()) {
    auto const found = std::find_if(of.variants.begin(), of.variants.end(), [](bench::Variant const& variant) {
        return variant.name == "auto" && variant.machine == bench::Machine::emulator;
    });
    return *found;
}

std::string choice(std::string const& grid, std::string const& occupied, std::uint64_t streams = 1 << 20,
                   std::string const& engine = "xorwow") {
    return bench::worker(automatic(), problem(grid, occupied, streams, 16, "stored", engine).axes).name;
}

// The experiment on an emulator whose blocks have so many bytes of shared memory.
bench::Experiment with_shared_memory(std::size_t const bytes) {
    bench::Experiment made = experiment();
    std::erase_if(made.variants, [](bench::Variant const& variant) {
        bool const has_tables = variant.name == "tree" || variant.name == "unranked";
        return variant.machine == bench::Machine::emulator && (has_tables || variant.name == "auto");
    });
    made.variants.push_back(emulator::make_tree([bytes] { return bytes; }));
    made.variants.push_back(emulator::make_unranked([bytes] { return bytes; }));
    emulator::add_auto(made);
    return made;
}

TEST(Choice, DependsOnTheBoard) {
    EXPECT_EQ(choice("32x1", "half"), "unranked");
    EXPECT_EQ(choice("64x1", "mixed"), "unranked");
    EXPECT_EQ(choice("32x1", "3,4"), "word");
    EXPECT_EQ(choice("40x1", "3,4"), "threadwise");
    EXPECT_EQ(choice("8x8", "half"), "unranked");
    EXPECT_EQ(choice("9x8", "half"), "tree");
    EXPECT_EQ(choice("13x13", "half", 135168), "pooled");
    EXPECT_EQ(choice("15x15", "half"), "pooled");  // gaps in its words, and rows of a known width
    EXPECT_EQ(choice("29x29", "half", 135168), "pooled");
    EXPECT_EQ(choice("15x15", "71,70"), "tree");
    EXPECT_EQ(choice("13x13", "50,49"), "tree");
    EXPECT_EQ(choice("12x13", "50,49"), "tree");
    EXPECT_EQ(choice("16x15", "50,49"), "tree");  // 240 sites, the most that it draws in two colours
    EXPECT_EQ(choice("15x15", "50,50,50"), "pooled");
    EXPECT_EQ(choice("16x16", "71,70"), "dense");  // no gaps
    EXPECT_EQ(choice("32x32", "100,100"), "dense");
    EXPECT_EQ(choice("32x32", "323"), "pooled");
    EXPECT_EQ(choice("32x32", "mixed"), "tree");  // the same words for any k
    EXPECT_EQ(choice("32x32", "mixed", 1 << 20, "philox10"), "tree");
    EXPECT_EQ(choice("32x32", "100"), "dense");  // without a pass
    EXPECT_EQ(choice("32x32", "32"), "pooled");
    EXPECT_EQ(choice("32x32", "992"), "pooled");
    EXPECT_EQ(choice("1024x1", "323"), "pooled");  // as 32x32: its words are full of sites
    EXPECT_EQ(choice("64x16", "323"), "pooled");
    EXPECT_EQ(choice("32x32", "8"), "pooled");
    EXPECT_EQ(choice("100x3", "1"), "pooled");  // a fifth of the probes of dense hit a gap
    EXPECT_EQ(choice("100x3", "200"), "tree");
    EXPECT_EQ(choice("23x17", "1"), "pooled");  // words with many gaps
    EXPECT_EQ(choice("33x33", "half"), "pooled");
    EXPECT_EQ(choice("64x64", "half"), "dense");
    EXPECT_EQ(choice("96x96", "half"), "tree");  // too large for pooled
}

TEST(Choice, DependsOnTheStreams) {
    EXPECT_EQ(choice("15x15", "71,70", 30000), "tree");
    EXPECT_EQ(choice("32x32", "half", 3000), "dense_warp");
    EXPECT_EQ(choice("32x32", "323", 3000), "dense_warp");  // a long pass, but words full of sites
    EXPECT_EQ(choice("32x32", "mixed", 3000), "dense_warp");
    EXPECT_EQ(choice("32x32", "323", 3000, "philox10"), "dense_warp");
    EXPECT_EQ(choice("31x29", "37", 2000), "dense_warp");
    EXPECT_EQ(choice("31x29", "200", 2000), "warpwise_reduce");  // gaps in its words
    EXPECT_EQ(choice("19x19", "180", 5000), "warpwise_reduce");
    EXPECT_EQ(choice("19x19", "180", 5000, "philox10"), "dense_warp");  // takes fewer words
    EXPECT_EQ(choice("32x32", "half", 100000), "pooled");
    EXPECT_EQ(choice("33x32", "half", 3000), "dense_warp");
    EXPECT_EQ(choice("33x32", "half", 1 << 20), "pooled");
    EXPECT_EQ(choice("64x1", "half", 3000), "unranked");
    EXPECT_EQ(choice("15x15", "50", 5000), "warpwise_reduce");
    EXPECT_EQ(choice("48x48", "mixed", 30000), "pooled");
    EXPECT_EQ(choice("22x36", "697", 135168, "philox10"), "pooled");
    EXPECT_EQ(choice("32x37", "133", 135168), "tree");
    EXPECT_EQ(choice("96x59", "half", 80000, "philox10"), "tree");
}

// `pooled` takes more words for some k than for others, `tree` does not.
TEST(Choice, DependsOnK) {
    EXPECT_EQ(choice("32x32", "323", 135168), "pooled");
    EXPECT_EQ(choice("32x32", "323", 304128), "pooled");
    EXPECT_EQ(choice("32x32", "mixed", 150000), "tree");
    EXPECT_EQ(choice("32x32", "mixed", 304128), "tree");
    EXPECT_EQ(choice("19x19", "mixed", 200000, "philox10"), "tree");
    EXPECT_EQ(choice("24x24", "mixed", 135168), "tree");
    EXPECT_EQ(choice("24x24", "mixed", 135168, "philox10"), "tree");
    EXPECT_EQ(choice("33x33", "mixed", 135168), "pooled");
    EXPECT_EQ(choice("33x33", "mixed", 150000, "philox10"), "pooled");
    EXPECT_EQ(choice("13x13", "mixed", 135168, "philox10"), "tree");
    EXPECT_EQ(choice("29x29", "mixed", 135168, "philox10"), "tree");
    EXPECT_EQ(choice("48x48", "mixed", 304128), "pooled");  // rows of a known width
    EXPECT_EQ(choice("48x48", "mixed", 135168, "philox10"), "pooled");
    EXPECT_EQ(choice("40x37", "mixed", 200000), "tree");
    EXPECT_EQ(choice("16x16", "half", 304128), "tree");
}

TEST(Choice, DependsOnTheEngine) {
    EXPECT_EQ(choice("32x32", "323", 304128, "philox7"), "pooled");
    EXPECT_EQ(choice("32x32", "323", 1 << 20, "philox10"), "pooled");
    EXPECT_EQ(choice("64x1", "half", 1 << 20, "philox10"), "unranked");
    EXPECT_EQ(choice("32x32", "1", 1 << 20, "philox10"), "pooled");
    EXPECT_EQ(choice("32x32", "32", 1 << 20, "philox10"), "pooled");
    EXPECT_EQ(choice("64x64", "half", 1 << 20, "philox10"), "dense_warp");
    EXPECT_EQ(choice("64x64", "mixed", 135168, "philox10"), "tree");  // takes fewer words, all of which cost more
    EXPECT_EQ(choice("64x64", "mixed", 140000, "philox10"), "tree");
    EXPECT_EQ(choice("50x50", "699", 30000), "dense_warp");
    EXPECT_EQ(choice("50x50", "699"), "tree");  // too large for pooled
    EXPECT_EQ(choice("50x50", "2499", 30000), "dense");
    EXPECT_EQ(choice("128x128", "half", 1 << 20, "philox10"), "dense");
}

// Sizes of the tables of unranked, of tree, and of tree for two colours.
TEST(Choice, DependsOnTheSharedMemoryOfABlock) {
    auto const choice_with = [](std::size_t const bytes, std::string const& grid, std::string const& occupied) {
        bench::Experiment const made = with_shared_memory(bytes);
        return bench::worker(automatic(made), problem(grid, occupied, 1 << 20, 16).axes).name;
    };
    EXPECT_EQ(choice_with(227072, "15x15", "71,70"), "tree");
    EXPECT_EQ(choice_with(227071, "15x15", "71,70"), "pooled");
    EXPECT_EQ(choice_with(224304, "32x32", "mixed"), "tree");
    EXPECT_EQ(choice_with(224303, "32x32", "mixed"), "pooled");
    EXPECT_EQ(choice_with(209632, "8x8", "half"), "unranked");
    for (std::size_t const capability_8 : {163 * 1024, 99 * 1024}) {
        EXPECT_EQ(choice_with(capability_8, "8x8", "half"), "pooled");
        EXPECT_EQ(choice_with(capability_8, "32x1", "half"), "word");
        EXPECT_EQ(choice_with(capability_8, "64x1", "mixed"), "threadwise");
        EXPECT_EQ(choice_with(capability_8, "15x15", "71,70"), "pooled");
    }
}

TEST(Choice, DrawsWithTheNextVariantWhereTablesHaveNoRoom) {
    bench::Experiment const made = with_shared_memory(99 * 1024);
    bench::Problem const asked = problem("15x15", "71,70", 1 << 17, 1);
    bench::Problem few = asked;
    few.units = 33;
    bench::Variant const& chosen = bench::worker(automatic(made), asked.axes);
    ASSERT_EQ(chosen.name, "pooled");
    bench::Reference const& reference = made.reference(chosen.reference);
    std::vector<bench::UnitResult> const results = run(automatic(made), few);
    ASSERT_EQ(results.size(), few.units);
    for (std::uint64_t unit = 0; unit < few.units; ++unit)
        EXPECT_EQ(results[unit], reference.unit(few, unit)) << unit;
}

// A board does not depend on the machine, so `grids` never takes another method: it draws on the CPU if it may.
TEST(Choice, GridsKeepsItsMethodWhereTablesHaveNoRoom) {
    bench::Experiment const made = with_shared_memory(99 * 1024);
    bench::Axes const axes = problem("225x1", "71,70", 1, 1).axes;
    using bench::Machine;
    auto const chosen = [&](std::vector<Machine> const& machines) -> bench::Variant const& {
        return cli::choose_variant(made, axes, machines, {"tree"}, "cannot draw");
    };
    EXPECT_EQ(chosen({Machine::emulator, Machine::cpu}).machine, Machine::cpu);
    try {
        chosen({Machine::emulator});
        FAIL() << "its tables have no room";
    } catch (bench::Error const& error) {
        EXPECT_NE(std::string(error.what())
                      .find("tree does not support this: its tables take 227072 bytes, but the shared memory of a "
                            "block has room for 101376"),
                  std::string::npos)
            << error.what();
    }
}

// Where no variant supports the board, `auto` says why.
TEST(Choice, SupportsWhatAnyOtherSupports) {
    for (std::string const grid : {"1x1", "7x9", "23x17", "31x31", "50x50", "100x3", "1024x1", "128x128", "1x16384"}) {
        for (std::string const occupied : {"0", "1", "half", "mixed"}) {
            for (std::uint64_t const streams : {1u, 1u << 20}) {
                bench::Axes const axes = problem(grid, occupied, streams, 2).axes;
                bool const any = std::any_of(
                    experiment().variants.begin(), experiment().variants.end(), [&](bench::Variant const& variant) {
                        return variant.machine == bench::Machine::emulator && variant.unsupported_reason(axes).empty();
                    });
                EXPECT_EQ(automatic().unsupported_reason(axes).empty(), any) << grid;
            }
        }
    }
}

}  // namespace
}  // namespace lockstep::random_grids::tests
