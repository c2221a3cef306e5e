// Compares the mean number of neighbouring pairs of k particles with its expected value: 2048 bonds, each with both
// ends occupied with probability k (k - 1) / (1024 * 1023). Independent sites would have (k / 1024)^2.

#include <cmath>
#include <cstdio>

#include "harness/simt/devices.hpp"
#include "harness/stats/interval.hpp"
#include "neighbours.hpp"

namespace {

std::vector<unsigned> pairs(bool by_threads, unsigned particles) {
    constexpr unsigned long long seed = 1;
    constexpr unsigned streams = 16;
    constexpr unsigned length = 64;
    auto count = by_threads ? neighbours::emulator::pairs_of_threads : neighbours::emulator::pairs;
#if defined(LOCKSTEP_WITH_CUDA)
    if (!lockstep::simt::cuda_devices().devices.empty())
        count = by_threads ? neighbours::cuda::pairs_of_threads : neighbours::cuda::pairs;
#endif
    return count(seed, streams, length, particles);
}

}  // namespace

int main() {
    std::printf("boards by  particles  pairs per board, 99.9 %% interval  expected\n");
    for (bool const by_threads : {false, true}) {
        for (unsigned const particles : {2u, 32u, 512u, 1000u}) {
            std::vector<double> sample;
            for (unsigned const count : pairs(by_threads, particles))
                sample.push_back(count);
            auto const interval = lockstep::stats::student_interval(sample, 0.999);
            double const expected = 2048.0 * particles * (particles - 1) / (1024.0 * 1023.0);
            bool const held = interval->low <= expected && expected <= interval->high;
            std::printf("%-9s  %9u  %16.4f .. %-12.4f  %10.4f  %s\n", by_threads ? "threads" : "warps", particles,
                        interval->low, interval->high, expected, held ? "holds" : "does not hold");
        }
    }
}
