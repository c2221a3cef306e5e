#pragma once
// A model of one's own: how many purchases until each of `kinds` coupons (at most 32) was in a box?

#include <vector>

namespace coupons {

// Purchases of each replication. The first `lanes` lanes of a warp run replications: 1 gives each a warp, as the paper
// has it, 32 a thread. The results are those of (seed, replication), whatever runs them.
namespace emulator {
std::vector<unsigned> replicate(unsigned long long seed, unsigned replications, unsigned kinds, unsigned lanes);
}
namespace cuda {
std::vector<unsigned> replicate(unsigned long long seed, unsigned replications, unsigned kinds, unsigned lanes);
}

}  // namespace coupons
