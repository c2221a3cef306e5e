// Listings 1 and 2 of the paper on a GPU, where the hardware determines the order of lanes.

#include <gtest/gtest.h>

#include "harness/simt/devices.hpp"
#include "tests/replications/listings.hpp"

namespace lockstep::replications::tests {
namespace {

TEST(Listings, EachWarpWritesItsElementOnAGpu) {
    simt::DeviceList const list = simt::cuda_devices();
    if (list.devices.empty())
        GTEST_SKIP() << "no GPU (" << list.reason << ")";
    for (unsigned const number : {1u, 2u}) {
        for (unsigned const threads : {1u, 31u, 32u, 33u, 1024u}) {
            std::vector<float> const array = cuda::run_listing(number, 40, threads);
            EXPECT_TRUE(array[0] == 0 || array[0] == 1) << array[0];
            for (std::size_t warp = 1; warp + 1 < array.size(); ++warp)
                EXPECT_EQ(array[warp], 1) << "listing " << number << " warp " << warp;
            EXPECT_EQ(array.back(), -1) << "no warp has this element";
        }
    }
    EXPECT_EQ(cuda::run_listing(1, 1, 32)[0], 1) << "one lane writes 0, then 1";
}

}  // namespace
}  // namespace lockstep::replications::tests
