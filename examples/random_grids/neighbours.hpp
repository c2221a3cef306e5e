#pragma once
// A lattice gas of exactly k particles on 32 x 32 sites: how many pairs of neighbours has a random configuration?

#include <vector>

namespace neighbours {

// Neighbouring pairs of each board: `streams` warps draw `length` boards each, and none is stored. The boards depend on
// the seed alone.
namespace emulator {
std::vector<unsigned> pairs(unsigned long long seed, unsigned streams, unsigned length, unsigned particles);
}
namespace cuda {
std::vector<unsigned> pairs(unsigned long long seed, unsigned streams, unsigned length, unsigned particles);
}

}  // namespace neighbours
