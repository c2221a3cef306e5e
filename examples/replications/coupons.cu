#include "coupons.hpp"

#include "harness/random/bounded.hpp"
#include "harness/random/taus88.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "kernels/replications/for_each_replication.hpp"

namespace coupons::LOCKSTEP_MACHINE {

using namespace lockstep::simt::LOCKSTEP_MACHINE;
namespace random = lockstep::random::LOCKSTEP_MACHINE;
namespace replications = lockstep::replications::LOCKSTEP_MACHINE;

__global__ void collect(unsigned long long seed, unsigned count, unsigned kinds, unsigned lanes, unsigned* purchases) {
    replications::for_each_replication(count, lanes, [&](unsigned long long replication) {
        auto stream = random::Taus88::stream(seed, replication, 0);
        unsigned const all = kinds == 32 ? ~0u : (1u << kinds) - 1;
        unsigned seen = 0;
        unsigned bought = 0;
        for (; seen != all; ++bought)
            seen |= 1u << random::bounded(stream, kinds);
        purchases[replication] = bought;
    });
}

std::vector<unsigned> replicate(unsigned long long seed, unsigned count, unsigned kinds, unsigned lanes) {
    Buffer<unsigned> purchases(count);
    constexpr unsigned warps_per_block = 4;
    unsigned const replications_per_block = warps_per_block * lanes;
    LaunchShape const shape = {.grid = {ceil_div(count, replications_per_block)}, .block = {32 * warps_per_block}};
    launch("collect", collect, shape, {}, seed, count, kinds, lanes, purchases.data());
    synchronize({});
    return purchases.to_vector();
}

}  // namespace coupons::LOCKSTEP_MACHINE
