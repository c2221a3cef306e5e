// Listings 1 and 2 of the paper, compiled from the output of `lockstep weave`. Each warp writes 1 to its element, and
// all warps write 0 to element 0. This is a race: element 0 is 0 or 1, depending on the order of lanes. ThreadSanitizer
// reports it.

#include "tests/replications/listings.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "experiments/replications/weave.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/simt/emulator/options.hpp"

namespace {
std::atomic<int> reports{0};
}  // namespace

#if defined(__SANITIZE_THREAD__)
// Hooks of ThreadSanitizer's runtime: count reports instead of failing the program, and do not suppress repeated
// reports.
extern "C" void __tsan_on_report(void*) { reports.fetch_add(1); }
extern "C" char const* __tsan_default_options() {
    return "exitcode=0:suppress_equal_stacks=0:suppress_equal_addresses=0";
}
constexpr bool reports_races = true;
#else
constexpr bool reports_races = false;
#endif

namespace lockstep::replications::tests {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;

std::vector<float> array_of(unsigned number, unsigned blocks, unsigned threads, LaneOrder order) {
    ScopedOptions const scope(Options{order, 0, 1, 60});
    reports = 0;
    return emulator::run_listing(number, blocks, threads);
}

TEST(Listings, TheWovenListingsAreUpToDate) {
    std::string const source = "tests/replications/listings.cu";
    EXPECT_EQ(weave(bench::read_file(source), source), bench::read_file("tests/replications/listings_woven.cu"))
        << "run: lockstep weave " << source << " -o tests/replications/listings_woven.cu";
}

TEST(Listings, EachWarpWritesItsElement) {
    for (unsigned const number : {1u, 2u}) {
        for (unsigned const threads : {1u, 31u, 32u, 33u, 64u}) {
            for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending}) {
                std::vector<float> const array = array_of(number, 3, threads, order);
                EXPECT_TRUE(array[0] == 0 || array[0] == 1) << array[0];
                for (std::size_t warp = 1; warp + 1 < array.size(); ++warp)
                    EXPECT_EQ(array[warp], 1) << "listing " << number << " warp " << warp;
                EXPECT_EQ(array.back(), -1) << "no warp has this element";
            }
        }
    }
}

TEST(Listings, Listing1RacesWithMoreThanOneWarp) {
    EXPECT_EQ(array_of(1, 1, 32, LaneOrder::ascending)[0], 1) << "one lane writes 0, then 1";
    EXPECT_EQ(reports, 0);
    EXPECT_EQ(array_of(1, 1, 64, LaneOrder::ascending)[0], 0) << "warp 1 writes 0 after warp 0 has written 1";
    EXPECT_EQ(reports > 0, reports_races);
    EXPECT_EQ(array_of(1, 1, 64, LaneOrder::descending)[0], 1);
}

TEST(Listings, Listing2RacesWithinAWarp) {
    EXPECT_EQ(array_of(2, 1, 1, LaneOrder::ascending)[0], 1);
    EXPECT_EQ(reports, 0);
    EXPECT_EQ(array_of(2, 1, 32, LaneOrder::ascending)[0], 0) << "lane 31 writes 0 after lane 0 has written 1";
    EXPECT_EQ(reports > 0, reports_races);
    EXPECT_EQ(array_of(2, 1, 32, LaneOrder::descending)[0], 1);
}

}  // namespace
}  // namespace lockstep::replications::tests
