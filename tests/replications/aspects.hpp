#pragma once
// Kernels with every annotation of `lockstep weave`, woven.

#include <vector>

namespace lockstep::replications::tests {

struct Drawn {
    std::vector<unsigned> words;  // the first word of each replication, 0 if the kernel skipped it
    unsigned long long threads = 0;
    unsigned long long runs = 0;
};

namespace emulator {
// The 4 active lanes of each warp share `size` replications. Replication 3 is skipped.
Drawn draw(unsigned blocks, unsigned threads, unsigned long long size);
// The same for 3 active lanes and a kernel that breaks in each third replication.
Drawn draw_with_breaks(unsigned blocks, unsigned threads, unsigned long long size);
// Number of threads that began and ended a kernel that half of them leave early, and of its cycles (GPU).
std::vector<unsigned long long> leave(unsigned blocks, unsigned threads);
// The sum of the lanes' numbers, by warp.
std::vector<unsigned> sum_lanes(unsigned blocks, unsigned threads);
}  // namespace emulator

namespace cuda {
Drawn draw(unsigned blocks, unsigned threads, unsigned long long size);
Drawn draw_with_breaks(unsigned blocks, unsigned threads, unsigned long long size);
std::vector<unsigned long long> leave(unsigned blocks, unsigned threads);
std::vector<unsigned> sum_lanes(unsigned blocks, unsigned threads);
}  // namespace cuda

}  // namespace lockstep::replications::tests
