// Tests of stored output in the memory of the emulator, and of the GPU if nvcc compiles this file.

#include "harness/simt/devices.hpp"
#include "tests/harness/bench/digest_checks.hpp"

namespace lockstep::bench::LOCKSTEP_MACHINE {
namespace {

#if defined(__CUDACC__)
TEST(BenchDigestCuda, StoredOutput) {
    simt::DeviceList const list = simt::cuda_devices();
    if (list.devices.empty()) {
        GTEST_SKIP() << "no GPU: " << list.reason;
    }
    check_all_shapes();
}
#else
TEST(BenchDigestEmulator, StoredOutput) { check_all_shapes(); }
#endif

}  // namespace
}  // namespace lockstep::bench::LOCKSTEP_MACHINE
