#pragma once
// The paper's Listings 1 and 2, woven. The array has an element a warp, and one more that no warp may touch; all are -1
// before.

#include <vector>

namespace lockstep::replications::tests::emulator {
std::vector<float> run_listing(unsigned number, unsigned blocks, unsigned threads);
}

namespace lockstep::replications::tests::cuda {
std::vector<float> run_listing(unsigned number, unsigned blocks, unsigned threads);
}
