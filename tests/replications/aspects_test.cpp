// The woven kernels of aspects.cu, in the emulator.

#include "experiments/replications/weave.hpp"
#include "harness/bench/atomic_file.hpp"
#include "tests/replications/aspects_checks.hpp"

namespace lockstep::replications::tests {
namespace {

TEST(Aspects, TheWovenKernelsAreUpToDate) {
    std::string const source = "tests/replications/aspects.cu";
    EXPECT_EQ(weave(bench::read_file(source), source), bench::read_file("tests/replications/aspects_woven.cu"))
        << "run: lockstep weave " << source << " -o tests/replications/aspects_woven.cu";
}

TEST(Aspects, KernelsDoWhatTheirAnnotationsSay) {
    // The last warp of a block may have fewer than the four or three active lanes.
    for (unsigned const threads : {1u, 2u, 32u, 33u, 35u, 96u}) {
        for (unsigned long long const size : {1ull, 4ull, 5ull, 23ull, 50ull}) {
            expect_draws(emulator::draw(2, threads, size), 2 * threads, size);
            expect_breaks(emulator::draw_with_breaks(2, threads, size), 2 * threads, size);
        }
    }
    for (unsigned const threads : {32u, 96u}) {
        expect_leaves(emulator::leave(3, threads), 3 * threads, false);
        EXPECT_EQ(emulator::sum_lanes(2, threads), std::vector<unsigned>(2 * threads / 32, 496));
    }
}

}  // namespace
}  // namespace lockstep::replications::tests
