// Counters of one thread and one warp per replication, emulated, for the claims that rest on hardware counters
// (experiments/replications/emulated.py). They are those of results/emulators/replications.csv.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>

#include "harness/bench/atomic_file.hpp"
#include "harness/simt/emulator/options.hpp"
#include "harness/simt/hooks/checks.hpp"
#include "tests/replications/counted.hpp"

namespace lockstep::replications {
namespace {

using simt::hooks::Counters;
using simt::hooks::LineCounters;

constexpr std::uint64_t replications = 64;
constexpr char const* committed = "results/emulators/replications.csv";

struct CountedModel {
    char const* name;
    void (*launch)(Scheme, Point const&, std::uint64_t);
    Point point;
};

// The points of the experiment's default axes, with a hundredth of the draws and a tenth of the customers: counts per
// item do not depend on them.
std::array<CountedModel, 3> const models = {{
    {"pi", emulator::launch_pi, {.items = 1000}},
    {"mm1", emulator::launch_mm1, {.items = 1000, .inverse_rate = 87381}},
    {"walk", emulator::launch_walk, {.items = 1000, .chunk_width = 10, .chunk_height = 10}},
}};

Counters count(CountedModel const& model, Scheme scheme, std::uint64_t size = replications) {
    simt::emulator::ScopedOptions const scope(simt::emulator::Options{.threads = 1});
    simt::hooks::Settings settings;
    settings.counters = true;
    simt::hooks::Checks const checks(settings);
    model.launch(scheme, model.point, size);
    EXPECT_TRUE(checks.reports().empty()) << checks.reports().front().text();
    return checks.counters();
}

std::string row(CountedModel const& model, Scheme scheme) {
    Counters const counters = count(model, scheme);
    LineCounters const sum = counters.total();
    std::string text = std::string(model.name) + (scheme == Scheme::threads ? ",threads" : ",warps");
    for (std::uint64_t const value :
         {std::uint64_t{model.point.items}, replications, counters.instructions, counters.lane_instructions,
          counters.branches, counters.divergent_branches, sum.global_loads.requests, sum.global_loads.sectors,
          sum.global_loads.used_bytes, sum.global_stores.requests, sum.global_stores.sectors,
          sum.global_stores.used_bytes}) {
        text += "," + std::to_string(value);
    }
    return text + "\n";
}

std::string table() {
    std::string text =
        "model,variant,items,replications,instructions,lane_instructions,branches,divergent_branches,loads,"
        "sectors_read,bytes_read,stores,sectors_written,bytes_written\n";
    for (CountedModel const& model : models)
        text += row(model, Scheme::threads) + row(model, Scheme::warps);
    return text;
}

TEST(EmulatedCounters, AWarpPerReplicationRepeatsTheRequestsOfAThread) {
    for (CountedModel const& model : models) {
        LineCounters const threads = count(model, Scheme::threads, 32).total();
        LineCounters const warps = count(model, Scheme::warps, 32).total();
        EXPECT_EQ(warps.global_loads.requests, 32 * threads.global_loads.requests) << model.name;
        EXPECT_EQ(warps.global_stores.requests, 32 * threads.global_stores.requests) << model.name;
        EXPECT_EQ(warps.global_stores.used_bytes, threads.global_stores.used_bytes) << model.name;
        EXPECT_EQ(count(model, Scheme::warps, 32).divergent_branches, 0u) << model.name;
    }
}

TEST(EmulatedCounters, LanesOfTheWalkDivergeAndThoseOfPiDoNot) {
    Counters const walk = count(models[2], Scheme::threads, 32);
    EXPECT_GE(walk.divergent_branches, models[2].point.items);
    EXPECT_LT(walk.lane_instructions, 32 * walk.instructions);
    EXPECT_EQ(count(models[0], Scheme::threads, 32).divergent_branches, 0u);
}

TEST(EmulatedCounters, AreThoseOfTheClaims) {
#if !defined(__x86_64__) || !defined(__GNUC__) || defined(__clang__) || __GNUC__ != 12
    GTEST_SKIP() << "accesses and blocks are those that g++ 12 makes for x86-64";
#endif
    std::string const counted = table();
    if (!std::filesystem::exists(committed) || counted != bench::read_file(committed)) {
        auto const path = std::filesystem::temp_directory_path() / "lockstep_replications_counters.csv";
        bench::write_file_atomically(path, counted);
        ADD_FAILURE() << committed << " differs: compare it with " << path.string() << " and copy that";
    }
}

}  // namespace
}  // namespace lockstep::replications
