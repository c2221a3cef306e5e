// Every engine yields the same bits on the GPU as on the CPU, for any launch shape.

#include <gtest/gtest.h>

#include "harness/simt/devices.hpp"
#include "tests/harness/random/cpu_engine_words.hpp"
#include "tests/harness/random/engines_kernel.hpp"

namespace lockstep::random {
namespace {

TEST(EnginesOnCuda, MatchTheCpu) {
    if (simt::DeviceList const found = simt::cuda_devices(); found.devices.empty()) {
        GTEST_SKIP() << found.reason;
    }
    for (unsigned long long const seed : {0ull, 1ull, 0xffffffffffffffffull}) {
        auto const expected = cpu::engine_words(seed);
        EXPECT_EQ(cuda::engine_words(seed, 3, 33), expected);
        EXPECT_EQ(cuda::engine_words(seed, 1, 128), expected);
        EXPECT_EQ(cuda::engine_words(seed, 99, 1), expected);
    }
    EXPECT_NE(cuda::engine_words(1, 3, 33), cpu::engine_words(2)) << "the comparison must detect a different seed";
}

}  // namespace
}  // namespace lockstep::random
