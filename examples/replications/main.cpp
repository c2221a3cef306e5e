// Compares the coupon collector's mean and its 95% interval with the exact value n (1 + 1/2 + ... + 1/n).

#include <cstdio>

#include "common/replications/estimates.hpp"
#include "coupons.hpp"
#include "harness/simt/devices.hpp"

namespace {

std::vector<unsigned> replicate(unsigned kinds, unsigned lanes) {
    constexpr unsigned long long seed = 1;
    constexpr unsigned replications = 4096;
#if defined(LOCKSTEP_WITH_CUDA)
    if (!lockstep::simt::cuda_devices().devices.empty())
        return coupons::cuda::replicate(seed, replications, kinds, lanes);
#endif
    return coupons::emulator::replicate(seed, replications, kinds, lanes);
}

}  // namespace

int main() {
    std::printf("kinds  mean    95%% interval    exact   one warp and one thread per replication\n");
    for (unsigned const kinds : {1u, 6u, 20u, 32u}) {
        std::vector<unsigned> const purchases = replicate(kinds, 1);
        bool const same = purchases == replicate(kinds, 32);
        double exact = 0;
        for (unsigned i = 1; i <= kinds; ++i)
            exact += static_cast<double>(kinds) / i;
        auto const estimate = lockstep::replications::estimate(std::vector<double>(purchases.begin(), purchases.end()));
        std::printf("%5u  %6.2f  %6.2f .. %6.2f  %6.2f  %s\n", kinds, estimate.mean, estimate.interval->low,
                    estimate.interval->high, exact, same ? "agree" : "differ");
    }
}
