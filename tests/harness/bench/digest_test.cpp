// Tests of the digest on the CPU and of stored output in host memory.

#include <gtest/gtest.h>

#include "harness/bench/variant.hpp"
#include "tests/harness/bench/digest_checks.hpp"

namespace lockstep::bench {
namespace {

TEST(BenchDigest, DependsOnUnitWordsOrderAndLength) {
    UnitResult const result = {1, 2, 3};
    std::uint64_t const digest = unit_digest(5, result);
    EXPECT_EQ(unit_digest(5, result), digest);
    EXPECT_NE(unit_digest(6, result), digest);
    EXPECT_NE(unit_digest(5, UnitResult{2, 1, 3}), digest);
    EXPECT_NE(unit_digest(5, UnitResult{1, 2, 2}), digest);
    EXPECT_NE(unit_digest(5, UnitResult{1, 2}), digest);
    EXPECT_NE(unit_digest(5, UnitResult{0}), unit_digest(5, UnitResult{0, 0}));
    // Swapping the results of two units changes the digest.
    EXPECT_NE(unit_digest(0, UnitResult{1}) + unit_digest(1, UnitResult{2}),
              unit_digest(0, UnitResult{2}) + unit_digest(1, UnitResult{1}));
}

TEST(BenchDigest, StoredOutputOnTheCpu) { cpu::check_all_shapes(); }

}  // namespace
}  // namespace lockstep::bench
