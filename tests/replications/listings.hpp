#pragma once
// The paper's Listings 1 and 2, woven. The array has one element per warp and one more that no warp may write; all are
// initially -1.

#include <vector>

namespace lockstep::replications::tests::emulator {
std::vector<float> run_listing(unsigned number, unsigned blocks, unsigned threads);
}

namespace lockstep::replications::tests::cuda {
std::vector<float> run_listing(unsigned number, unsigned blocks, unsigned threads);
}
