// The woven kernels of aspects.cu, on a GPU.

#include "harness/simt/devices.hpp"
#include "tests/replications/aspects_checks.hpp"

namespace lockstep::replications::tests {
namespace {

TEST(Aspects, KernelsDoWhatTheirAnnotationsSayOnAGpu) {
    simt::DeviceList const list = simt::cuda_devices();
    if (list.devices.empty())
        GTEST_SKIP() << "no GPU (" << list.reason << ")";
    for (unsigned const threads : {2u, 32u, 35u, 96u, 1024u}) {
        for (unsigned long long const size : {1ull, 4ull, 5ull, 2300ull}) {
            expect_draws(cuda::draw(7, threads, size), 7 * threads, size);
            expect_breaks(cuda::draw_with_breaks(7, threads, size), 7 * threads, size);
        }
    }
    for (unsigned const threads : {32u, 96u, 1024u}) {
        expect_leaves(cuda::leave(9, threads), 9 * threads, true);
        EXPECT_EQ(cuda::sum_lanes(7, threads), std::vector<unsigned>(7 * threads / 32, 496));
    }
}

}  // namespace
}  // namespace lockstep::replications::tests
