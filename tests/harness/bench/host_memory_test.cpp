// A job that the machine's memory cannot hold is refused before it takes any.

#include "harness/bench/host_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "harness/bench/error.hpp"

namespace lockstep::bench {
namespace {

TEST(HostMemory, TheMessageHasBothNumbers) {
    require_memory("cannot do this", 1e6);
    try {
        require_memory("cannot do that", 1e18);
        FAIL() << "no machine has an exabyte";
    } catch (Error const& error) {
        std::string const text = error.what();
        EXPECT_EQ(text.find("cannot do that (it needs about 1e+09 GB, and this machine has "), 0u) << text;
        EXPECT_NE(text.find(" GB) run a smaller job"), std::string::npos) << text;
    }
}

TEST(HostMemory, APartOfItIsAvailable) {
    EXPECT_GT(available_host_memory(), std::uint64_t{1} << 20);
    EXPECT_LT(available_host_memory(), host_memory());
}

}  // namespace
}  // namespace lockstep::bench
