#pragma once
// A user-defined model: the number of purchases until each of `kinds` coupons (at most 32) has been found.

#include <vector>

namespace coupons {

// Returns the number of purchases of each replication. The first `lanes` lanes of a warp run replications: with 1, each
// replication has a warp, as in the paper; with 32, each has a thread. The results depend only on (seed, replication).
namespace emulator {
std::vector<unsigned> replicate(unsigned long long seed, unsigned replications, unsigned kinds, unsigned lanes);
}
namespace cuda {
std::vector<unsigned> replicate(unsigned long long seed, unsigned replications, unsigned kinds, unsigned lanes);
}

}  // namespace coupons
