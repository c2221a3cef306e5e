#include "harness/bench/failure.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace lockstep::bench {
namespace {

TEST(BenchFailure, CudaErrorsAreSortedByWhatAUserCanDo) {
    EXPECT_EQ(failure_of("cudaMalloc failed: cudaErrorMemoryAllocation (out of memory) at a.cu:3"), Failure::memory);
    for (char const* const lost : {"cudaErrorIllegalAddress", "cudaErrorLaunchFailure", "cudaErrorECCUncorrectable",
                                   "cudaErrorDevicesUnavailable", "cudaErrorHardwareStackError"})
        EXPECT_EQ(failure_of("cudaStreamSynchronize failed: " + std::string(lost)), Failure::lost_device) << lost;
    for (char const* const other : {"", "launch of toy failed: planted", "cudaErrorInvalidValue", "out of memory"})
        EXPECT_EQ(failure_of(other), Failure::of_the_work) << other;
}

TEST(BenchFailure, OtherErrorsKeepTheirText) {
    EXPECT_EQ(explained(std::runtime_error("cudaErrorInvalidValue")), "cudaErrorInvalidValue");
    EXPECT_TRUE(explained(std::bad_alloc()).starts_with("out of memory ("));
    EXPECT_TRUE(explained(std::length_error("vector::_M_default_append")).starts_with("out of memory ("));
}

}  // namespace
}  // namespace lockstep::bench
